import { KotefError } from '../../../core/base/failure.ts'

/** The texts of a line of JSON with these keys. Throws a usage error that says what the line must be. */
export function textsOf<Key extends string, KeyOfAny extends string = never>(
  line: string,
  { texts, textsOrNull = [] }: { texts: readonly Key[]; textsOrNull?: readonly KeyOfAny[] },
): Record<Key, string> & Record<KeyOfAny, string | null> {
  const value = parsed(line)
  const isText = texts.every(it => typeof value?.[it] === 'string')
  const isAny = textsOrNull.every(it => value?.[it] === null || typeof value?.[it] === 'string')
  if (isText && isAny) return value as Record<Key, string> & Record<KeyOfAny, string | null>
  const form = [...texts, ...textsOrNull].map(it => `"${it}": "…"`).join(', ')
  throw new KotefError('usage', `A line of standard input is not {${form}}.`)
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
