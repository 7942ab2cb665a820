import type { CommandArgument, Word, WordPart } from 'unbash'
import { printsCommits, printsName, printsNumber } from './known-output.ts'
import { isStatic, partsWithin, staticText } from './static-text.ts'

/**
 * The options that a program takes, in the notation of getopt: letters, each with a `:` after it when it takes a value,
 * then names, each with a `=` when it takes one; a `?` instead when the value may be missing, a `!` when it may be only
 * known at run time. `ao: --all --out=`; a name with one dash (`-in=`) is not a cluster. A `+` before all of it: the
 * program takes no option after an operand.
 */
export type OptionForm = string

/** A command's arguments, split into options and operands. */
export type ParsedArguments = {
  /** Each option without its dashes, in order; the value is null for a flag. */
  readonly options: readonly (readonly [name: string, value: string | null])[]
  readonly operands: readonly Arg[]
}

/** Parses arguments by a form; null when one of them may be an option that the form doesn't have. */
export function parseArguments(args: readonly Arg[], form: OptionForm): ParsedArguments | null {
  const options: [string, string | null][] = []
  const operands: Arg[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    if (!arg) break
    if (arg.text === '--') return { options, operands: [...operands, ...args.slice(i + 1)] }
    if (arg.isOperand || arg.text === '-') {
      if (form.startsWith('+')) return { options, operands: args.slice(i) }
      operands.push(arg)
      continue
    }
    const parsed = arg.text === null ? null : optionsOf(arg.text, form)
    if (!parsed) return null
    const waiting = parsed.find(it => it[1] === VALUE_FOLLOWS)
    if (waiting) {
      i += 1
      const value = args[i]
      if (!value || (value.text === null && (!mayBeUnknown(waiting[0], form) || mayBeSeveral(value)))) return null
      waiting[1] = value.text ?? value.source
    }
    options.push(...parsed)
  }
  return { options, operands }
}

/** The options before the first operand, and the arguments from there on; null when an option is not known. */
export function parseLeadingOptions(
  args: readonly Arg[],
  form: OptionForm,
): (ParsedArguments & { readonly rest: readonly Arg[] }) | null {
  let count = 0
  while (args[count] && !args[count]?.isOperand && args[count]?.text !== '-') {
    if (args[count]?.text === '--') break
    count += parseArguments(args.slice(count, count + 1), form) ? 1 : 2
  }
  const words = parseArguments(args.slice(0, count), form)
  return words && { ...words, rest: args.slice(args[count]?.text === '--' ? count + 1 : count) }
}

/** True when one of these options is given. */
export function hasOption({ options }: ParsedArguments, ...names: readonly string[]): boolean {
  return options.some(([name]) => names.includes(name))
}

/** The values that are given to these options. */
export function optionValues({ options }: ParsedArguments, ...names: readonly string[]): string[] {
  return options.filter(([name]) => names.includes(name)).flatMap(([, value]) => value ?? [])
}

function mayBeUnknown(option: string, form: OptionForm): boolean {
  const [letters = '', ...names] = form.split(' ')
  return option.length === 1 ? letters.includes(`${option}!`) : names.includes(`--${option}!`)
}

const VALUE_FOLLOWS = '\0next'

function optionsOf(text: string, notation: OptionForm): [string, string | null][] | null {
  const form = notation.replace(/^\+/, '')
  const names = form.split(' ').filter(it => it.startsWith('-'))
  const letters = form.startsWith('-') ? '' : (form.split(' ')[0] ?? '')
  const [option = ''] = text.split('=', 1)
  const isName = text.startsWith('--') || names.includes(option) || names.includes(`${option}=`)
  return isName ? longOption(text, names) : shortOptions(text.slice(1), letters)
}

function longOption(text: string, names: readonly string[]): [string, string | null][] | null {
  const [option = ''] = text.split('=', 1)
  const hasValue = text.includes('=')
  const name = option.replace(/^--?/, '')
  if (names.includes(`${option}=`) || names.includes(`${option}!`))
    return [[name, hasValue ? text.slice(option.length + 1) : VALUE_FOLLOWS]]
  if (names.includes(`${option}?`)) return [[name, hasValue ? text.slice(option.length + 1) : null]]
  return names.includes(option) && !hasValue ? [[name, null]] : null
}

function shortOptions(cluster: string, letters: string): [string, string | null][] | null {
  const options: [string, string | null][] = []
  for (let i = 0; i < cluster.length; i++) {
    const letter = cluster.charAt(i)
    if (/[:?!]/.test(letter) || !letters.includes(letter)) return null
    if (letters.includes(`${letter}?`)) return [...options, [letter, cluster.slice(i + 1) || null]]
    if (letters.includes(`${letter}:`) || letters.includes(`${letter}!`))
      return [...options, [letter, cluster.slice(i + 1) || VALUE_FOLLOWS]]
    options.push([letter, null])
  }
  return options
}

/** A word of a command before the shell expands it. */
export type Arg = {
  /** Its value; null when it is only known at run time. */
  readonly text: string | null
  /** True when it can't be an option: it starts with another character, or with quotes around one word. */
  readonly isOperand: boolean
  readonly source: string
}

/** Its value, or the source without quotes where the shell may put something in its place. */
export function plainSource({ text, source }: Arg): string {
  return text ?? source.replace(/["'\\]/g, '')
}

/** True when the shell may make several words of it: a glob, braces, or a variable without quotes. */
export function mayBeSeveral({ text, source }: Arg): boolean {
  const isOne = /^[\w.,:/=-]*"[^"@*]*"$/.test(source) || !/[*?[$`{]/.test(source.replaceAll('{}', ''))
  return text === null && !isOne
}

/** A word as an argument. */
export function argOf(word: CommandArgument): Arg {
  if (word.type === 'Assignment') return { text: staticAssignment(word.text), isOperand: true, source: word.text }
  const text = staticText(word)
  return { text, isOperand: text === null ? beginsAsOperand(word) : !text.startsWith('-'), source: word.text }
}

// The parser gives the source of a word such as `a=$b`, so only plain characters are known.
function staticAssignment(text: string): string | null {
  return /^[\w.+=:/@%,-]+$/.test(text) ? text : null
}

// A glob that starts with a letter expands to names that start with it, never to an option.
function beginsAsOperand(word: Word): boolean {
  const parts = word.parts ?? []
  // The shell's own folders begin with `/`.
  if (/^"\$(?:PWD|HOME|\{(?:PWD|HOME)\})(?:\/[\w./-]*)?"$/.test(word.text)) return true
  if (beginsWithName(parts, word.text)) return true
  const isWhole = parts.every(it => isStatic(it) || it.type === 'Glob' || it.type === 'DoubleQuoted')
  return isWhole && !makesWords(word.text) && /^["']?[\w./~]/.test(word.text)
}

/** True for a word that begins with the output of a command, which is a name or a number. */
function beginsWithName(parts: readonly WordPart[], text: string): boolean {
  const [first, next, ...others] = partsWithin(parts)
  if (first?.type !== 'CommandExpansion' || !first.script) return false
  const rest = next ? [next, ...others] : []
  const isName =
    printsCommits(first.script) || printsNumber(first.script) || (/^".*"$/s.test(text) && printsName(first.script))
  // An empty output leaves what follows.
  return isName && rest.every(isStatic) && !/^["']?-/.test(next?.text ?? '')
}

// `"$@"`, `"${a[@]}"` and the like are several words, the later ones of which may be options.
function makesWords(text: string): boolean {
  const at = text.search(/[$[{]/)
  return at !== -1 && text.includes('@', at)
}
