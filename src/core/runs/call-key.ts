/** A text that is equal for calls of one tool with equal arguments, in any order and with any remark. */
export function callText(tool: string, args: unknown): string {
  return `${tool} ${canonicalJson(args, [])}`
}

/** Any value as a text: a text as it is, nothing as an empty one, an error by its name and message, else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return value instanceof Error ? `${value.name}: ${value.message}` : canonicalJson(value, [])
}

// An agent describes the same call in other words each time.
const REMARKS: ReadonlySet<string> = new Set(['task_progress', 'description', 'timestamp', 'explanation'])

// A graph passes objects of any kind: one that holds itself, one of which a member throws when it is read.
function canonicalJson(value: unknown, above: readonly unknown[]): string {
  if (typeof value === 'bigint') return String(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (above.includes(value) || above.length >= DEPTH_MAX) return '"…"'
  const inner = [...above, value]
  if (Array.isArray(value)) return `[${value.map(it => canonicalJson(it, inner)).join(',')}]`
  return `{${Object.keys(value)
    .filter(it => !REMARKS.has(it))
    .sort()
    .map(it => `${JSON.stringify(it)}:${canonicalJson(memberOf(value, it), inner)}`)
    .join(',')}}`
}

const DEPTH_MAX = 50

function memberOf(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name]
  } catch {
    return null
  }
}
