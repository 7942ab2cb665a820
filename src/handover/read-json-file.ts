import type * as z from 'zod'
import type { Problem } from '../findings/finding.ts'
import { readYaml } from '../intents/read-yaml.ts'

/** Reads a JSON file by a schema: its value if it is valid, and all problems with their lines. Never throws. */
export function readJsonFile<T>(
  file: string,
  text: string,
  schema: z.ZodType<T>,
): { readonly value: T | null; readonly raw: unknown; readonly problems: readonly Problem[] } {
  const syntax = jsonProblem(file, text)
  if (syntax) return { value: null, raw: null, problems: [syntax] }
  // JSON is YAML, whose parser knows the line of each part.
  return readYaml(file, text, schema)
}

function jsonProblem(file: string, text: string): Problem | null {
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split('\n', 1)[0] ?? '') : String(thrown)
    const offset = Number(/at position (\d+)/.exec(why)?.[1] ?? NaN)
    const line = Number.isNaN(offset) ? null : text.slice(0, offset).split('\n').length
    return { file, line, expected: 'valid JSON', found: why.slice(0, 120) }
  }
}
