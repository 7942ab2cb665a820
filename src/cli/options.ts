import { type Command, Option } from 'commander'
import { KotefError } from '../report/failure.ts'
import type { Call } from './verb.ts'

/** A flag's text, or null when the call doesn't have it. */
export function textOption({ options }: Pick<Call, 'options'>, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** As `textOption`, for what stands in lines of output: control characters are refused. */
export function lineOption(call: Pick<Call, 'options'>, name: string): string | null {
  const value = textOption(call, name)
  if (value === null || !/\p{Cc}/u.test(value)) return value
  throw new KotefError('usage', `--${name} takes one line of text without control characters.`)
}

/** The texts of a flag that may be repeated, or null when the call doesn't have it. */
export function listOption({ options }: Pick<Call, 'options'>, name: string): string[] | null {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : null
}

/** Adds a flag that may be repeated, once for each value. */
export function repeatable(command: Command, flags: string, description: string): Command {
  const collect = (value: string, before: unknown) => [...(Array.isArray(before) ? before.map(String) : []), value]
  return command.addOption(new Option(flags, `${description} (repeatable)`).argParser(collect))
}

/** The first positional argument. */
export function firstArgument({ args }: Pick<Call, 'args'>): string {
  const [first] = args
  return typeof first === 'string' ? first : ''
}
