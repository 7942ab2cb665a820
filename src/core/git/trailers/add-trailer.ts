import { type MessageCleanup, linesGitKeeps } from './cleanup.ts'
import { cutLineIndex, isBlankLine, messageLines, trailerBlock } from './parse-trailers.ts'

/**
 * Adds a trailer to a message (latin1) and changes nothing else. The trailer goes into the trailer block or, without
 * one, into a new paragraph; above the lines that git cuts off or ignores at the end; with the line ending in use.
 * A message of which git keeps no line stays unchanged, because git is going to refuse it.
 */
export function withTrailer(
  message: string,
  { key, value }: { key: string; value: string },
  cleanup: MessageCleanup,
): string {
  return withTrailerLine(message, `${key}: ${value}`, cleanup)
}

/** Names a commit that a pick makes again, as `git cherry-pick -x` does. */
export function withPickedLine(message: string, commit: string, cleanup: MessageCleanup): string {
  return withTrailerLine(message, `(cherry picked from commit ${commit})`, cleanup)
}

function withTrailerLine(message: string, added: string, cleanup: MessageCleanup): string {
  const lines = messageLines(message)
  const { at, joins } = insertionPoint(message, cleanup)
  const line = lines[at]
  if (line === undefined) return message
  const newline = line.endsWith('\r\n') ? '\r\n' : '\n'
  const closed = line.endsWith('\n') ? line : `${line}${newline}`
  const extended = `${closed}${joins ? '' : newline}${added}${newline}`
  const after = lines.slice(at + 1)
  // Text below the trailer would become part of its paragraph.
  const rest = after.length > 0 && !isBlankLine(after[0] ?? '') ? [newline, ...after] : after
  return [...lines.slice(0, at), extended, ...rest].join('')
}

type InsertionPoint = { readonly at: number; readonly joins: boolean }

/** The line to add a trailer after, and whether that line ends a trailer block; -1 where there is none. */
function insertionPoint(message: string, cleanup: MessageCleanup): InsertionPoint {
  const kept = linesGitKeeps(message, cleanup)
  const texts = kept.map(it => it.text)
  const block = trailerBlock(texts, cleanup.syntax)
  if (block && !texts.slice(block.start, block.end).every(isUrlLine))
    return { at: kept[block.end - 1]?.at ?? -1, joins: true }
  // Adding a trailer ends the last line with a newline, which may make it a cut line.
  const ended = texts.map(it => it.replace(/(?<!\n)$/, '\n'))
  const cut = cutLineIndex(ended, cleanup.syntax.comment)
  const last = kept.slice(0, cut === -1 ? undefined : cut).findLast(it => !isBlankLine(it.text))
  return { at: last?.at ?? -1, joins: false }
}

// To git a paragraph of bare URLs is a trailer block with the key `https`. kotef does not add a trailer to it.
function isUrlLine(line: string): boolean {
  return /^[A-Za-z]+:\/\//.test(line)
}
