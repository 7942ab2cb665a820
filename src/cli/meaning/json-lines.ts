import { KotefError } from '../../findings/failure.ts'

/** The texts of a line of JSON with these keys. Throws a usage error that says what the line must be. */
export function textOf<Key extends string>(line: string, keys: readonly Key[]): Record<Key, string> {
  const value = parsed(line)
  if (keys.every(it => typeof value?.[it] === 'string')) return value as Record<Key, string>
  const form = `{${keys.map(it => `"${it}": "…"`).join(', ')}}`
  throw new KotefError('usage', `A line of standard input is not ${form}.`)
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value)
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return null
  }
}
