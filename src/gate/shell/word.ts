import type { CommandArgument, Word, WordPart } from 'unbash'

/** A word of a command, as far as it is known before the shell has expanded it. */
export type Arg = {
  /** What it is; null when that shows only when it runs. */
  readonly text: string | null
  /** True when it can't be an option: it begins with something else, or is quoted and stays one word. */
  readonly isOperand: boolean
  readonly source: string
}

/** A word as an argument. */
export function argOf(word: CommandArgument): Arg {
  if (word.type === 'Assignment') return { text: staticAssignment(word.text), isOperand: true, source: word.text }
  const text = staticText(word)
  return { text, isOperand: text === null ? beginsAsOperand(word) : !text.startsWith('-'), source: word.text }
}

/** What a word is when nothing in it waits for the shell: null for variables, globs, braces and another one's home. */
export function staticText(word: Word): string | null {
  // Whose home it is shows only when it runs, but for one's own.
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

// Of a word such as `a=$b` only what stands there is known.
function staticAssignment(text: string): string | null {
  return /^[\w.+=:/@%,-]+$/.test(text) ? text : null
}

// A glob that begins with a name gives names that begin so, and no option.
function beginsAsOperand(word: Word): boolean {
  const parts = word.parts ?? []
  const isWhole = parts.every(it => isStatic(it) || it.type === 'Glob' || it.type === 'DoubleQuoted')
  return isWhole && /^["']?[\w./~]/.test(word.text)
}
