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
export function trimSpace(text: string): string {
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
