/**
 * The content of a text in quotes that means the same in both kinds of quotes: an escaped quote is a quote, and any
 * other escape stays as it is. Null for any other text, and for one with an escaped line end.
 */
export function quotedText(text: string): string | null {
  const [, , inner = null] = /^(['"])((?:(?!\1)[^\\\n]|\\[^\r\n])*)\1$/.exec(text) ?? []
  return inner === null ? null : inner.replace(ESCAPE, (escape, quote: string | undefined) => quote ?? escape)
}

const ESCAPE = /\\(['"])|\\[^]/g
