// An expression that takes in all of Unicode takes a fifth of a millisecond to make, and most texts are plain: it
// stands where it is used. U+FFFD stands for bytes that are no text; newlines and tabs are part of a layout; the marks
// of right-to-left text (bidi) can show a line as another one.

/** A path or name as a person can read and copy it: quoted as JSON, all in visible characters, when it holds more. */
export function printable(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  const isPlain = /^[\p{L}\p{N}\p{M}\p{P}\p{S} ]+$/u.test(text) && !/["\\\uFFFD]|^ | $/.test(text)
  return isPlain ? text : JSON.stringify(text).replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, unicodeEscape)
}

/** Any text as it may go to a terminal: what could move the cursor, hide or turn round text is spelled out. */
export function escapeForTerminal(text: string): string {
  return ORDINARY_TEXT.test(text)
    ? text
    : text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, unicodeEscape)
}

/** As `harmless`, for a text that a person is to judge: what shows nothing is spelled out as well. */
export function escapeInvisible(text: string): string {
  return ORDINARY_TEXT.test(text) ? text : text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, unicodeEscape)
}

/** A text as one word of a POSIX shell; for what has control characters there is no such word to paste. */
export function shellQuoted(text: string): string {
  return /^[\w./@+,=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

const PLAIN_TEXT = /^(?=[!-~])(?!.* $)[ !#-[\]-~]+$/
const ORDINARY_TEXT = /^[\n\t -~]*$/

function unicodeEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
}
