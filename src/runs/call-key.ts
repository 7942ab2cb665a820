/** A text that is equal for calls of one tool with equal arguments, in any order and with any remark. */
export function callText(tool: string, args: unknown): string {
  return `${tool} ${canonicalJson(args)}`
}

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
