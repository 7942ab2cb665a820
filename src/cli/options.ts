import { type Command, Option } from 'commander'
import { KotefError } from '../findings/failure.ts'
import type { VerbCall } from './verb.ts'

/** A flag's text, or null when the call doesn't have it. */
export function textOption({ options }: Pick<VerbCall, 'options'>, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** A flag's text of one line, or null. Control characters are refused, because the text is printed within lines. */
export function lineOption(call: Pick<VerbCall, 'options'>, name: string): string | null {
  const value = textOption(call, name)
  if (value === null || !/\p{Cc}/u.test(value)) return value
  throw new KotefError('usage', `--${name} takes one line of text without control characters.`)
}

/** The values of a flag that may be repeated, or null when the call doesn't have it. */
export function listOption({ options }: Pick<VerbCall, 'options'>, name: string): string[] | null {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : null
}

/** Adds a flag that may be repeated. */
export function addRepeatableOption(command: Command, flags: string, description: string): Command {
  const collect = (value: string, before: unknown) => [...(Array.isArray(before) ? before.map(String) : []), value]
  return command.addOption(new Option(flags, `${description} (repeatable)`).argParser(collect))
}

/** The first positional argument. */
export function firstArgument({ args }: Pick<VerbCall, 'args'>): string {
  const [first] = args
  return typeof first === 'string' ? first : ''
}

/** A flag's value as a whole number from 1 up; anything else is a usage error. */
export function parseWholeNumber(value: unknown, flag: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new KotefError('usage', `${flag} takes a whole number from 1 up, not ${String(value)}`)
}

/** The session that a call is about: its argument, else KOTEF_SESSION, which an agent's processes inherit. */
export function namedSession(call: Pick<VerbCall, 'args' | 'env'>): string | null {
  return firstArgument(call) || call.env['KOTEF_SESSION'] || null
}
