/**
 * Messages are latin1 strings here: one character per byte, so that what git wrote comes back unchanged, whatever its
 * encoding. White space is what C calls so; JavaScript would take the byte 0xa0 for a blank as well.
 */

/** A message's lines, each with its own line ending. */
export function messageLines(message: string): string[] {
  return message.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** True when a line has nothing but white space. */
export function isBlankLine(line: string): boolean {
  return /^[ \t\v\f\r]*\n?$/.test(line)
}

/** A text without the white space around it. */
export function trimSpace(text: string): string {
  return text.replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, '')
}

/** The lines before git's cut line (`# --- >8 ---`), below which `commit -v` shows the diff. */
export function linesBeforeCut(lines: readonly string[], comment: string): string[] {
  const at = cutLineIndex(lines, comment)
  return at === -1 ? [...lines] : lines.slice(0, at)
}

/** Where git's cut line stands, or -1: it is that line and nothing else. */
export function cutLineIndex(lines: readonly string[], comment: string): number {
  return lines.indexOf(`${comment} ${CUT_LINE}\n`)
}

/** What git's cut line says, after the comment character. */
export const CUT_LINE = '------------------------ >8 ------------------------'
