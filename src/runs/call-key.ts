import { sha256Hex } from '../text/sha256.ts'

/** A key that is equal for calls of one tool with equal arguments, in any order and with any remark. */
export function callKey(tool: string, args: unknown): string {
  return shortened(`${tool} ${canonicalJson(args)}`)
}

/** A text as it is, or its hash where it is long. */
export function shortened(text: string): string {
  return text.length <= KEY_CHARS_MAX ? text : `${text.slice(0, HEAD_CHARS)}… ${sha256Hex(text)}`
}

const KEY_CHARS_MAX = 160
const HEAD_CHARS = 60

// An agent describes the same call in other words each time.
const REMARKS: ReadonlySet<string> = new Set(['task_progress', 'description', 'timestamp', 'explanation'])

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([name]) => !REMARKS.has(name))
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, it]) => `${JSON.stringify(name)}:${canonicalJson(it)}`)
    .join(',')}}`
}
