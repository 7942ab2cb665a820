import * as z from 'zod'

/** A text that says something. */
export const filledText = z
  .string({ error: 'a text' })
  .refine(it => it.trim() !== '', { error: 'a text that is not empty' })

/** A list of texts. */
export const textList = z.array(z.string({ error: 'a text' }), { error: 'a list of texts' })

/** A time as ISO 8601 with its offset, such as 2026-01-31T09:00:00Z. */
export const moment = z
  .string({ error: 'a time such as 2026-01-31T09:00:00Z' })
  .refine(isMoment, { error: 'a time such as 2026-01-31T09:00:00Z' })

function isMoment(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/.test(text) && !Number.isNaN(Date.parse(text))
  )
}

/** One of some words; any other word is refused, not mapped. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `one of ${words.join(', ')}` })
}

/** A check of acceptance: `cmd:` with a command line, or `manual:` with what a person looks at. */
export const acceptanceCheck = z
  .string({ error: 'a text that begins with cmd: or manual:' })
  .regex(/^(?:cmd|manual):\s*\S/, { error: 'a text that begins with cmd: or manual:' })

/** The id of a task. */
export const taskId = z.string({ error: 'an id such as T-001' }).regex(/^T-\d+$/, { error: 'an id such as T-001' })

export const RISK_FLAGS = ['security', 'perf', 'breaking-change', 'none'] as const
