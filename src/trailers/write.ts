import { cleanedMessage, type Cleaning } from './clean.ts'
import { beforeCut, isBlank, linesOf } from './lines.ts'
import { blockOf } from './read.ts'

/**
 * Adds a trailer to a message (latin1) and changes nothing else: into the block at the end when there is one, else as
 * a paragraph of its own; above the comments and the diff that an editor was shown; with the line ending in use.
 * An empty message stays as it is, because git is about to refuse it.
 */
export function withTrailer(message: string, { key, value }: { key: string; value: string }, how: Cleaning): string {
  const lines = linesOf(message)
  const content = beforeCut(lines, how.commentChar)
  const last = content.findLastIndex(it => !isBlank(it) && !(how.edited && it.startsWith(how.commentChar)))
  const end = content[last]
  if (end === undefined) return message
  const newline = end.endsWith('\r\n') ? '\r\n' : '\n'
  const closed = end.endsWith('\n') ? end : `${end}${newline}`
  const gap = joinsBlock(message, how) ? '' : newline
  const added = `${closed}${gap}${key}: ${value}${newline}`
  const after = lines.slice(last + 1)
  // Content below would become part of the trailer's paragraph.
  const rest = after.length > 0 && !isBlank(after[0] ?? '') ? [newline, ...after] : after
  return [...lines.slice(0, last), added, ...rest].join('')
}

// A paragraph of bare addresses is a block to git, `https` being its key; nobody means it so.
function joinsBlock(message: string, how: Cleaning): boolean {
  const block = blockOf(cleanedMessage(message, how), how)
  return block.length > 0 && !block.every(it => /^[A-Za-z]+:\/\//.test(it))
}
