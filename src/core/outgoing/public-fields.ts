import type { SafeText } from './safe-text.ts'

/** What of agents' calls the config can make public, beyond the words of this room. */
export const PUBLIC_FIELDS = ['command-lines', 'error-lines'] as const

export type PublicField = (typeof PUBLIC_FIELDS)[number]

/** A text of a field, on one line, when the config makes that field public; null when it does not. */
export function madePublic(text: string, field: PublicField, fields: readonly PublicField[]): SafeText | null {
  const line = text.replace(/\s+/g, ' ').trim()
  return fields.includes(field) && line !== '' ? (line.slice(0, LINE_CHARS_MAX) as SafeText) : null
}

const LINE_CHARS_MAX = 300

/** The line of an output that says the most about a failure; empty where no line does. */
export function errorLine(output: string): string {
  const lines = output.split('\n').map(it => it.trim())
  const named = ERROR_LINES.map(pattern => lines.find(it => it.length <= LINE_CHARS_MAX && pattern.test(it)))
  return named.find(it => it !== undefined) ?? ''
}

// The words of most test runners and compilers, the most precise first.
const ERROR_LINES = [
  /^\W*(?:\w*Error|E\s+\w+Error|AssertionError)\b.*:/,
  /\berror\b.*[:\d]/i,
  /\b(?:expected|assert\w*|FAIL\w*|panicked)\b/i,
]
