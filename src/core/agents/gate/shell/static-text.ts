import type { Word, WordPart } from 'unbash'

/** A word's value when the shell expands nothing in it; null for variables, globs, braces and another user's home. */
export function staticText(word: Word): string | null {
  // `~name` is only known at run time; `~/` is the user's own home.
  if (/^~(?!\/)/.test(word.text)) return null
  return (word.parts ?? []).every(isStatic) ? word.value : null
}

/** True for a part of a word in which the shell expands nothing. */
export function isStatic(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true
    case 'DoubleQuoted':
      return part.parts.every(isStatic)
    default:
      return false
  }
}

/** The parts of a word, with those in double quotes in place of the quotes. */
export function partsWithin(parts: readonly WordPart[]): WordPart[] {
  return parts.flatMap((it): WordPart[] => (it.type === 'DoubleQuoted' ? [...it.parts] : [it]))
}
