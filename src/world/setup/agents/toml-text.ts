import { parse } from 'smol-toml'
import { KotefError } from '../../../core/base/failure.ts'

/** A TOML file with kotef's lines: in place of the present ones, or at the end. Null if it has that table already. */
export function addTomlLines(text: string, lines: readonly string[], path: string): string | null {
  const line = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [TOML_BEGIN, ...lines, TOML_END].join(line)
  const place = findTomlBlock(text)
  const bare = place ? text.slice(0, place.start) + text.slice(place.end) : text
  if (kotefServerIn(parseTomlTable(bare, path)) !== undefined) return null
  const gap = text === '' ? '' : text.endsWith('\n') ? line : line + line
  const out = place ? text.slice(0, place.start) + block + text.slice(place.end) : `${text}${gap}${block}${line}`
  parseTomlTable(out, path)
  return out
}

/** A TOML file without kotef's lines; null when nothing else is in it. */
export function removeTomlLines(text: string): string | null {
  const place = findTomlBlock(text)
  if (!place) return text
  const before = text.slice(0, place.start)
  const after = text.slice(place.end).replace(/^\r?\n/, '')
  const left = before.replace(/(\n)\r?\n$/, '$1') + after
  return left.trim() === '' ? null : left
}

/** The table that a TOML text spells. Throws when the text is damaged. */
export function parseTomlTable(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text)
  } catch {
    throw new KotefError('agent-config', `The agent can't read ${path}: it is not TOML.`)
  }
}

function kotefServerIn(table: Readonly<Record<string, unknown>>): unknown {
  const servers = table['mcp_servers']
  return typeof servers === 'object' && servers !== null ? (servers as Record<string, unknown>)['kotef'] : undefined
}

const TOML_BEGIN = '# >>> kotef (`kotef uninit` removes these lines)'
const TOML_END = '# <<< kotef'

function findTomlBlock(text: string): { readonly start: number; readonly end: number } | null {
  const start = text.search(/^# >>> kotef\b/m)
  const end = text.indexOf(`\n${TOML_END}`, start)
  return start === -1 || end === -1 ? null : { start, end: end + 1 + TOML_END.length }
}
