import { beforeCut, isBlank, linesOf } from './lines.ts'
import type { Reading } from './read.ts'

/** What git is about to do to a message file before it makes the commit. */
export type Cleaning = {
  /** What the lines begin with that are git's own. */
  readonly comment: string
  /** How git reads the commit later; its comments may be others, when it chose the character by itself now. */
  readonly reading: Reading
  readonly mode: CleanupMode
  /** True when an editor was open: then what stands below the cut line is git's, not the message's. */
  readonly edited: boolean
}

/** The values of `commit.cleanup`, but for `default`, which is `strip` with an editor and `whitespace` without. */
export type CleanupMode = 'strip' | 'whitespace' | 'verbatim' | 'scissors'

/** A line that git keeps, and its place among all lines of the file. */
export type KeptLine = { readonly text: string; readonly at: number }

/** The lines of a message file (latin1) that git keeps, from the first that is not blank. */
export function keptLines(message: string, how: Cleaning): KeptLine[] {
  const all = linesOf(message)
  const lines = how.edited ? beforeCut(all, how.comment) : all
  const kept = lines
    .map((text, at) => ({ text: how.mode === 'verbatim' ? text : withoutEnd(text), at }))
    .filter(({ at }) => how.mode !== 'strip' || !lines[at]?.startsWith(how.comment))
  const first = kept.findIndex(it => !isBlank(it.text))
  return first === -1 ? [] : kept.slice(first)
}

/** What git will make of a message file (latin1) when it cleans it up. */
export function cleanedMessage(message: string, how: Cleaning): string {
  if (how.mode === 'verbatim') return (how.edited ? beforeCut(linesOf(message), how.comment) : [message]).join('')
  const text = keptLines(message, how)
    .map(it => it.text)
    .join('')
  return text.replace(/\n\n+$/, '\n').replace(/\n{3,}/g, '\n\n')
}

/** True for a cleaned message that git refuses as empty: a sign-off alone says nothing. */
export function isEmptyToGit(cleaned: string, { mode }: Pick<Cleaning, 'mode'>): boolean {
  if (mode === 'verbatim') return cleaned === ''
  return linesOf(cleaned).every(it => isBlank(it) || it.startsWith('Signed-off-by: '))
}

/** True when a cleaned message is its cleaned template and no more, which git refuses as well. */
export function isUntouched(cleaned: string, template: string, { mode }: Pick<Cleaning, 'mode'>): boolean {
  if (mode === 'verbatim' || template === '' || !cleaned.startsWith(template)) return false
  return isEmptyToGit(cleaned.slice(template.length), { mode })
}

function withoutEnd(line: string): string {
  return `${line.replace(/[ \t\v\f\r]*\n?$/, '')}\n`
}
