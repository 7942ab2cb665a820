/**
 * The index behind the delimiter that ends a regular expression of sed or awk; null when the versions of these programs
 * may not agree about it: some of them end it at a delimiter in brackets.
 */
export function regexEnd(text: string, from: number, delimiter: string): number | null {
  for (let at = from; at < text.length;) {
    const char = text.charAt(at)
    if (char === delimiter) return at + 1
    if (char === '\n' || /^\\(?:[\nc]|$)/.test(text.slice(at, at + 2))) return null
    if (char !== '[') {
      at += char === '\\' ? 2 : 1
      continue
    }
    const [brackets] = BRACKETS.exec(text.slice(at)) ?? []
    if (!brackets || brackets.includes(delimiter)) return null
    at += brackets.length
  }
  return null
}

// All of them take these escapes, or the two characters of them, as a part of the brackets.
const BRACKETS = /^\[\^?\]?(?:[^\]\\\n[]|\[:[a-z]+:\]|\\[abfnrstvwSW])*\]/
