import type { Arg } from './word.ts'

/**
 * The options that a program takes, in the notation of getopt: letters, each with a `:` after it when it takes a value,
 * then long names, each with a `=` when it takes one. `ao: --all --out=`
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
  const [letters = '', ...names] = form.split(' ')
  return text.startsWith('--') ? longOption(text, names) : shortOptions(text.slice(1), letters)
}

function longOption(text: string, names: readonly string[]): [string, string | null][] | null {
  const [option = ''] = text.split('=', 1)
  const hasValue = text.includes('=')
  if (names.includes(`${option}=`)) return [[option.slice(2), hasValue ? text.slice(option.length + 1) : VALUE_FOLLOWS]]
  return names.includes(option) && !hasValue ? [[option.slice(2), null]] : null
}

function shortOptions(cluster: string, letters: string): [string, string | null][] | null {
  const options: [string, string | null][] = []
  for (let i = 0; i < cluster.length; i++) {
    const letter = cluster.charAt(i)
    if (letter === ':' || !letters.includes(letter)) return null
    if (letters.includes(`${letter}:`)) return [...options, [letter, cluster.slice(i + 1) || VALUE_FOLLOWS]]
    options.push([letter, null])
  }
  return options
}
