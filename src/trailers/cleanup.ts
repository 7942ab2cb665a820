import { linesBeforeCut, isBlankLine, messageLines } from './message-lines.ts'
import type { TrailerSyntax } from './parse-trailers.ts'

/** What git is about to do to a message file before it makes the commit. */
export type MessageCleanup = {
  /** What the lines begin with that are git's own. */
  readonly comment: string
  /** How git reads the commit later; its comments may be others, when it chose the character by itself now. */
  readonly syntax: TrailerSyntax
  readonly mode: CleanupMode
  /** True when an editor was open: then what stands below the cut line is git's, not the message's. */
  readonly edited: boolean
}

/** The values of `commit.cleanup`, but for `default`, which is `strip` with an editor and `whitespace` without. */
export type CleanupMode = 'strip' | 'whitespace' | 'verbatim' | 'scissors'

/** A line that git keeps, and its place among all lines of the file. */
export type KeptLine = { readonly text: string; readonly at: number }

/** The lines of a message file (latin1) that git keeps, from the first that is not blank. */
export function linesGitKeeps(message: string, cleanup: MessageCleanup): KeptLine[] {
  const all = messageLines(message)
  const lines = cleanup.edited ? linesBeforeCut(all, cleanup.comment) : all
  const kept = lines
    .map((text, at) => ({ text: cleanup.mode === 'verbatim' ? text : withoutTrailingSpace(text), at }))
    .filter(({ at }) => cleanup.mode !== 'strip' || !lines[at]?.startsWith(cleanup.comment))
  const first = kept.findIndex(it => !isBlankLine(it.text))
  return first === -1 ? [] : kept.slice(first)
}

/** What git will make of a message file (latin1) when it cleans it up. */
export function cleanMessage(message: string, cleanup: MessageCleanup): string {
  if (cleanup.mode === 'verbatim')
    return (cleanup.edited ? linesBeforeCut(messageLines(message), cleanup.comment) : [message]).join('')
  const text = linesGitKeeps(message, cleanup)
    .map(it => it.text)
    .join('')
  return text.replace(/\n\n+$/, '\n').replace(/\n{3,}/g, '\n\n')
}

/** True for a cleaned message that git refuses as empty: a sign-off alone says nothing. */
export function isEmptyToGit(cleaned: string, { mode }: Pick<MessageCleanup, 'mode'>): boolean {
  if (mode === 'verbatim') return cleaned === ''
  return messageLines(cleaned).every(it => isBlankLine(it) || it.startsWith('Signed-off-by: '))
}

/** True when a cleaned message is its cleaned template and no more, which git refuses as well. */
export function isUnchangedTemplate(
  cleaned: string,
  template: string,
  { mode }: Pick<MessageCleanup, 'mode'>,
): boolean {
  if (mode === 'verbatim' || template === '' || !cleaned.startsWith(template)) return false
  return isEmptyToGit(cleaned.slice(template.length), { mode })
}

function withoutTrailingSpace(line: string): string {
  return `${line.replace(/[ \t\v\f\r]*\n?$/, '')}\n`
}
