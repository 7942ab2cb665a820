import { parse } from 'smol-toml'
import { KotefError } from '../../report/failure.ts'

/** A file of TOML with kotef's lines at its end, or anew where they stood; null when it has that table otherwise. */
export function withLines(text: string, lines: readonly string[], path: string): string | null {
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [BEGIN, ...lines, END].join(line)
  const place = placeIn(text)
  const bare = place ? text.slice(0, place.start) + text.slice(place.end) : text
  if (serverIn(tableOf(bare, path)) !== undefined) return null
  const gap = text === '' ? '' : text.endsWith('\n') ? line : line + line
  const out = place ? text.slice(0, place.start) + block + text.slice(place.end) : `${text}${gap}${block}${line}`
  tableOf(out, path)
  return out
}

/** A file of TOML without kotef's lines; null when nothing else is in it. */
export function withoutLines(text: string): string | null {
  const place = placeIn(text)
  if (!place) return text
  const [before, after] = [text.slice(0, place.start), text.slice(place.end).replace(/^\r?\n/, '')]
  const left = before.replace(/(\n)\r?\n$/, '$1') + after
  return left.trim() === '' ? null : left
}

/** What a text of TOML says; it is thrown when it says nothing. */
export function tableOf(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text)
  } catch {
    throw new KotefError('agent-config', `${path} is not as an agent reads it: it is no TOML.`)
  }
}

function serverIn(table: Readonly<Record<string, unknown>>): unknown {
  const servers = table['mcp_servers']
  return typeof servers === 'object' && servers !== null ? (servers as Record<string, unknown>)['kotef'] : undefined
}

const BEGIN = '# >>> kotef (`kotef uninit` removes these lines)'
const END = '# <<< kotef'

function placeIn(text: string): { readonly start: number; readonly end: number } | null {
  const start = text.search(/^# >>> kotef\b/m)
  const end = text.indexOf(`\n${END}`, start)
  return start === -1 || end === -1 ? null : { start, end: end + 1 + END.length }
}
