import { beforeCut, isBlank, linesOf, trimmed } from './lines.ts'

/** One `Key: value` line of a message's trailer block; a folded value is one line here. */
export type Trailer = { readonly key: string; readonly value: string }

/** The trailers of a commit message (latin1), in order, as git itself reads them. */
export function trailersOf(message: string, { commentChar = '#' }: { commentChar?: string } = {}): Trailer[] {
  const entries: string[] = []
  let open = false
  for (const line of blockOf(message, { commentChar })) {
    if (open && isIndented(line)) entries[entries.length - 1] += line
    else {
      entries.push(line)
      open = separatorOf(line) > 0
    }
  }
  return entries.filter(it => separatorOf(it) > 0).map(it => trailerIn(it))
}

/** The values of every trailer of one key, whatever its case. */
export function valuesOf(trailers: readonly Trailer[], key: string): string[] {
  return trailers.filter(it => it.key.toLowerCase() === key.toLowerCase()).map(it => it.value)
}

/**
 * The lines of the trailer block: the last paragraph, never the subject, when it holds nothing but trailers, or at
 * least a quarter of them and one that git itself writes.
 */
export function blockOf(message: string, { commentChar = '#' }: { commentChar?: string } = {}): string[] {
  const lines = withoutEnd(beforeCut(linesOf(message), commentChar), commentChar)
  const title = lines.findIndex(it => !it.startsWith(commentChar) && isBlank(it))
  if (title === -1) return []
  const end = lines.findLastIndex(it => !isBlank(it)) + 1
  const start = lines.findLastIndex((it, n) => n < end && !it.startsWith(commentChar) && isBlank(it)) + 1
  const block = lines.slice(start, end)
  return start > title && isTrailers(block, commentChar) ? block : []
}

// Comments, blank lines and the list of conflicts that old git left there are not the end of a message.
function withoutEnd(lines: readonly string[], commentChar: string): string[] {
  let end = 0
  let conflicts = false
  lines.forEach((line, n) => {
    if (line === 'Conflicts:\n') conflicts = true
    else if (!(line === '\n' || line.startsWith(commentChar) || (conflicts && line.startsWith('\t')))) {
      conflicts = false
      end = n + 1
    }
  })
  return lines.slice(0, end)
}

function isTrailers(lines: readonly string[], commentChar: string): boolean {
  let trailers = 0
  let others = 0
  let indented = 0
  let made = false
  // From the last line up: what continues a trailer is known only when the trailer is reached.
  for (const line of lines.toReversed()) {
    const byGit = /^(Signed-off-by: |\(cherry picked from commit )/.test(line)
    if (!byGit && isIndented(line)) {
      indented += isBlank(line) ? 0 : 1
      continue
    }
    made ||= byGit
    const isComment = line.startsWith(commentChar)
    if (byGit || (separatorOf(line) > 0 && !isComment)) trailers += 1
    else others += indented + (isComment ? 0 : 1)
    indented = 0
  }
  others += indented
  return made ? trailers * 3 >= others : trailers > 0 && others === 0
}

function isIndented(line: string): boolean {
  return /^[ \t\v\f\r]/.test(line)
}

/** Where the `:` of a trailer stands, or -1: a key is letters, digits and `-`, and may be followed by blanks. */
function separatorOf(line: string): number {
  const match = /^[A-Za-z0-9-]+[ \t]*:/.exec(line)
  return match ? match[0].length - 1 : -1
}

function trailerIn(entry: string): Trailer {
  const at = separatorOf(entry)
  const value = trimmed(entry.slice(at + 1)).replace(/\n[ \t\n\v\f\r]*/g, ' ')
  return { key: trimmed(entry.slice(0, at)), value }
}
