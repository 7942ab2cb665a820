import { isBlankLine, linesBeforeCut, messageLines, type TrailerSyntax } from './parse-trailers.ts'

/** How git will clean up a message file before it makes the commit. */
export type MessageCleanup = {
  /** The prefix of comment lines. */
  readonly comment: string
  /** How git reads the commit later; its comment prefix differs if git chose the character of this file itself. */
  readonly syntax: TrailerSyntax
  readonly mode: CleanupMode
  /** True when an editor was open: then git cuts off the text below the cut line. */
  readonly edited: boolean
}

/** The values of `commit.cleanup`, without `default`: that is `strip` with an editor and `whitespace` without one. */
export type CleanupMode = 'strip' | 'whitespace' | 'verbatim' | 'scissors'

/** A line that git keeps, and its index among all lines of the file. */
export type KeptLine = { readonly text: string; readonly at: number }

/** The lines of a message file (latin1) that git keeps, starting at the first line that is not blank. */
export function linesGitKeeps(message: string, cleanup: MessageCleanup): KeptLine[] {
  const all = messageLines(message)
  const lines = cleanup.edited ? linesBeforeCut(all, cleanup.comment) : all
  const kept = lines
    .map((text, at) => ({ text: cleanup.mode === 'verbatim' ? text : withoutTrailingSpace(text), at }))
    .filter(({ at }) => cleanup.mode !== 'strip' || !lines[at]?.startsWith(cleanup.comment))
  const first = kept.findIndex(it => !isBlankLine(it.text))
  return first === -1 ? [] : kept.slice(first)
}

/** A message file (latin1) after git's cleanup. */
export function cleanMessage(message: string, cleanup: MessageCleanup): string {
  if (cleanup.mode === 'verbatim')
    return (cleanup.edited ? linesBeforeCut(messageLines(message), cleanup.comment) : [message]).join('')
  const text = linesGitKeeps(message, cleanup)
    .map(it => it.text)
    .join('')
  return text.replace(/\n\n+$/, '\n').replace(/\n{3,}/g, '\n\n')
}

/** True for a cleaned message that git refuses as empty: it has nothing, or only a sign-off. */
export function isEmptyToGit(cleaned: string, { mode }: Pick<MessageCleanup, 'mode'>): boolean {
  if (mode === 'verbatim') return cleaned === ''
  return messageLines(cleaned).every(it => isBlankLine(it) || it.startsWith('Signed-off-by: '))
}

/** True when a cleaned message equals its cleaned template, which git refuses as well. */
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
