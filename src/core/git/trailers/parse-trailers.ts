/** A `Key: value` line of a message's trailer block, with a folded value joined to one line. */
export type Trailer = { readonly key: string; readonly value: string }

/** The settings by which a message is parsed. */
export type TrailerSyntax = {
  /** The prefix of comment lines. */
  readonly comment: string
  /** The keys of `trailer.*`, in lower case: with one of them a paragraph that is partly prose is a trailer block. */
  readonly keys: readonly string[]
}

const DEFAULT_SYNTAX: TrailerSyntax = { comment: '#', keys: [] }

/** The trailers of a commit message (latin1), in order, as git itself reads them. */
export function parseTrailers(message: string, syntax: TrailerSyntax = DEFAULT_SYNTAX): Trailer[] {
  const lines = messageLines(message)
  const block = trailerBlock(lines, syntax)
  return block === null ? [] : parseTrailerLines(lines.slice(block.start, block.end))
}

/** The values of every trailer of one key, whatever its case. */
export function trailerValues(trailers: readonly Trailer[], key: string): string[] {
  return trailers.filter(it => it.key.toLowerCase() === key.toLowerCase()).map(it => it.value)
}

/**
 * The position of the trailer block among the lines of a message: the last paragraph, but never the subject, if it has
 * only trailers, or at least a quarter of trailers and one that git writes or that is configured. Null without a block.
 */
export function trailerBlock(all: readonly string[], syntax: TrailerSyntax): { start: number; end: number } | null {
  const { comment } = syntax
  const lines = withoutTrailingComments(linesBeforeCut(all, comment), comment)
  const title = lines.findIndex(it => !it.startsWith(comment) && isBlankLine(it))
  if (title === -1) return null
  const end = lines.findLastIndex(it => !it.startsWith(comment) && !isBlankLine(it)) + 1
  const start = lines.findLastIndex((it, n) => n < end && !it.startsWith(comment) && isBlankLine(it)) + 1
  return start > title && isTrailerBlock(lines.slice(start, end), syntax) ? { start, end } : null
}

/** The trailers in some lines; a line that begins with white space continues the line before it. */
export function parseTrailerLines(lines: readonly string[]): Trailer[] {
  const entries: string[] = []
  let open = false
  for (const line of lines) {
    if (open && isIndented(line)) entries[entries.length - 1] += line
    else {
      entries.push(line)
      open = separatorIndex(line) > 0
    }
  }
  return entries.filter(it => separatorIndex(it) > 0).map(it => parseTrailer(it))
}

// Comments, blank lines and the list of conflicts that old versions of git wrote do not belong to the message.
function withoutTrailingComments(lines: readonly string[], comment: string): string[] {
  let end = 0
  let conflicts = false
  lines.forEach((line, n) => {
    if (line === 'Conflicts:\n') conflicts = true
    else if (!(line === '\n' || line.startsWith(comment) || (conflicts && line.startsWith('\t')))) {
      conflicts = false
      end = n + 1
    }
  })
  return lines.slice(0, end)
}

/** True when git treats a paragraph as a trailer block. */
export function isTrailerBlock(lines: readonly string[], { comment, keys }: TrailerSyntax = DEFAULT_SYNTAX): boolean {
  let trailers = 0
  let others = 0
  let indented = 0
  let isKnown = false
  // From the last line up, because a continuation line belongs to the trailer above it.
  for (const line of lines.toReversed()) {
    const isComment = line.startsWith(comment)
    const byGit = !isComment && /^(Signed-off-by: |\(cherry picked from commit )/.test(line)
    if (!byGit && !isComment && isIndented(line)) {
      indented += isBlankLine(line) ? 0 : 1
      continue
    }
    const key = line.slice(0, Math.max(separatorIndex(line), 0)).toLowerCase()
    isKnown ||= byGit || (key !== '' && !isComment && keys.some(it => it.startsWith(key)))
    if (byGit || (key !== '' && !isComment)) trailers += 1
    else others += indented + (isComment ? 0 : 1)
    indented = 0
  }
  others += indented
  return isKnown ? trailers * 3 >= others : trailers > 0 && others === 0
}

function isIndented(line: string): boolean {
  return /^[ \t\v\f\r]/.test(line)
}

/** The index of a trailer's `:`, or -1. A key has letters, digits and `-`, and blanks may follow it. */
function separatorIndex(line: string): number {
  const match = /^[A-Za-z0-9-]+[ \t]*:/.exec(line)
  return match ? match[0].length - 1 : -1
}

function parseTrailer(entry: string): Trailer {
  const at = separatorIndex(entry)
  const value = trimSpace(entry.slice(at + 1)).replace(/\n[ \t\n\v\f\r]*/g, ' ')
  return { key: trimSpace(entry.slice(0, at)), value }
}

/**
 * Messages are latin1 strings in this room: one character for each byte, so that they are written back unchanged,
 * whatever their encoding. White space is that of C; JavaScript would also treat the byte 0xa0 as a blank.
 */

/** The lines of a message, each with its line ending. */
export function messageLines(message: string): string[] {
  return message.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** True when a line has only white space. */
export function isBlankLine(line: string): boolean {
  return /^[ \t\v\f\r]*\n?$/.test(line)
}

/** A text without the white space around it. */
function trimSpace(text: string): string {
  return text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '')
}

/** The lines before git's cut line (`# --- >8 ---`), below which `commit -v` shows the diff. */
export function linesBeforeCut(lines: readonly string[], comment: string): string[] {
  const at = cutLineIndex(lines, comment)
  return at === -1 ? [...lines] : lines.slice(0, at)
}

/** The index of git's cut line, or -1: the line must equal it exactly. */
export function cutLineIndex(lines: readonly string[], comment: string): number {
  return lines.indexOf(`${comment} ${CUT_LINE}\n`)
}

/** The text of git's cut line, after the comment prefix. */
export const CUT_LINE = '------------------------ >8 ------------------------'
