import type { CommandArgument, Word, WordPart } from 'unbash'

/** A word of a command before the shell expands it. */
export type Arg = {
  /** Its value; null when it is only known at run time. */
  readonly text: string | null
  /** True when it can't be an option: it starts with another character, or with quotes around one word. */
  readonly isOperand: boolean
  readonly source: string
}

/** A word as an argument. */
export function argOf(word: CommandArgument): Arg {
  if (word.type === 'Assignment') return { text: staticAssignment(word.text), isOperand: true, source: word.text }
  const text = staticText(word)
  return { text, isOperand: text === null ? beginsAsOperand(word) : !text.startsWith('-'), source: word.text }
}

/** A word's value when the shell expands nothing in it; null for variables, globs, braces and another user's home. */
export function staticText(word: Word): string | null {
  // `~name` is only known at run time; `~/` is the user's own home.
  if (/^~(?!\/)/.test(word.text)) return null
  return (word.parts ?? []).every(isStatic) ? word.value : null
}

function isStatic(part: WordPart): boolean {
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

// The parser gives the source of a word such as `a=$b`, so only plain characters are known.
function staticAssignment(text: string): string | null {
  return /^[\w.+=:/@%,-]+$/.test(text) ? text : null
}

// A glob that starts with a letter expands to names that start with it, never to an option.
function beginsAsOperand(word: Word): boolean {
  const parts = word.parts ?? []
  const isWhole = parts.every(it => isStatic(it) || it.type === 'Glob' || it.type === 'DoubleQuoted')
  return isWhole && /^["']?[\w./~]/.test(word.text)
}
