import type { Arg } from './word.ts'

/** The options that a program takes: letters and long names, with a value (`values`, `longValues`) or without. */
export type OptionForm = {
  readonly flags: string
  readonly values?: string
  readonly long?: readonly string[]
  readonly longValues?: readonly string[]
}

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
      operands.push(arg)
      continue
    }
    const parsed = arg.text === null ? null : optionsOf(arg.text, form)
    if (!parsed) return null
    const waiting = parsed.find(it => it[1] === VALUE_FOLLOWS)
    if (waiting) {
      i += 1
      const value = args[i]?.text ?? null
      if (value === null) return null
      waiting[1] = value
    }
    options.push(...parsed)
  }
  return { options, operands }
}

const VALUE_FOLLOWS = '\0next'

function optionsOf(text: string, form: OptionForm): [string, string | null][] | null {
  return text.startsWith('--') ? longOption(text.slice(2), form) : shortOptions(text.slice(1), form)
}

function longOption(text: string, { long = [], longValues = [] }: OptionForm): [string, string | null][] | null {
  const [name = ''] = text.split('=', 1)
  const hasValue = text.includes('=')
  if (longValues.includes(name)) return [[name, hasValue ? text.slice(name.length + 1) : VALUE_FOLLOWS]]
  return long.includes(name) && !hasValue ? [[name, null]] : null
}

function shortOptions(letters: string, { flags, values = '' }: OptionForm): [string, string | null][] | null {
  const options: [string, string | null][] = []
  for (let i = 0; i < letters.length; i++) {
    const letter = letters.charAt(i)
    if (values.includes(letter)) return [...options, [letter, letters.slice(i + 1) || VALUE_FOLLOWS]]
    if (!flags.includes(letter)) return null
    options.push([letter, null])
  }
  return options
}
