// Compiling an expression with Unicode classes takes a fifth of a millisecond, so each is compiled where it is used:
// most texts are plain ASCII and need none. U+FFFD marks bytes that are not text. Newlines and tabs are layout. Marks
// of right-to-left text (bidi) can make a line look like another one.

/** A path or name for a person to read and copy; with unusual characters it is quoted and escaped as in JSON. */
export function printable(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  const isPlain = /^[\p{L}\p{N}\p{M}\p{P}\p{S} ]+$/u.test(text) && !/["\\\uFFFD]|^ | $/.test(text)
  return isPlain ? text : JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, unicodeEscape)
}

/** A text for a terminal: escapes the characters that could move the cursor, or hide or reorder text. */
export function escapeForTerminal(text: string): string {
  return ORDINARY_TEXT.test(text)
    ? text
    : text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, unicodeEscape)
}

/** As `escapeForTerminal`, for a text that a person approves: escapes invisible characters as well. */
export function escapeInvisible(text: string): string {
  return ORDINARY_TEXT.test(text) ? text : text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, unicodeEscape)
}

/** A text as one word of a POSIX shell. Control characters stay as they are, so such a word can't be pasted. */
export function shellQuoted(text: string): string {
  return /^[\w./@+,=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const PLAIN_TEXT = /^(?=[!-~])(?!.* $)[ !#-[\]-~]+$/
const ORDINARY_TEXT = /^[\n\t -~]*$/

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** A count with its noun: `1 file`, `2 files`. */
export function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}
