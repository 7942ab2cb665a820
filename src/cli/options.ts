import { type Command, Option } from 'commander'
import type { Call } from './verb.ts'

/** A flag's text, or null when the call doesn't have it. */
export function textOption({ options }: Pick<Call, 'options'>, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
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
