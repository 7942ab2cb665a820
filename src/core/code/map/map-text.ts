import { groupBy } from '../../base/grouping.ts'
import { compareIntents, type MapEntry } from './map-entry.ts'

/** A map: its entries in the canonical order, and the names of their intents. */
export type IntentMap = { readonly entries: readonly MapEntry[]; readonly names: ReadonlyMap<string, string> }

/** The generated block as Markdown: a heading for each intent, and a line for each entry, which depends on it alone. */
export function mapBlock({ entries, names }: IntentMap): string {
  const byIntent = groupBy(entries, it => it.intent)
  const sections = [...byIntent].sort(([one], [other]) => compareIntents(one, other))
  const texts = sections.map(([intent, own]) => {
    const name = escapeSpan(names.get(intent) ?? '')
    return [`## ${intent}${name === '' ? '' : ` ${name}`}`, '', ...own.map(entryLine), ''].join('\n')
  })
  return texts.length === 0 ? '' : `\n${texts.join('\n')}\n`
}

/** An entry as a line of the block. */
export function entryLine({ path, kind, name, hash, commits }: MapEntry): string {
  const named = name === '' ? '' : ` \`${escapeSpan(name)}\``
  return `- \`${escapeSpan(path)}\` ${kind}${named} ${hash} by ${commits.join(' ')}`
}

/** Reads a block; lines that kotef does not write are left out. Paths and names stay escaped as they are in it. */
export function readMapBlock(block: string): IntentMap {
  const names = new Map<string, string>()
  const entries: MapEntry[] = []
  let intent: string | null = null
  for (const line of block.split(/\r?\n/)) {
    const [, id, name = ''] = HEADING.exec(line) ?? []
    if (id !== undefined) names.set((intent = id), name)
    const [, path = '', kind = '', declared = '', hash = '', commits = ''] = ENTRY.exec(line) ?? []
    if (intent !== null && path !== '')
      entries.push({ intent, path, kind, name: declared, hash, commits: commits.split(' ') })
  }
  return { entries, names }
}

/** True for a block in which a person has written nothing: each of its lines is one that kotef writes. */
export function isGeneratedBlock(block: string): boolean {
  const lines = block.split(/\r?\n/).filter(it => it.trim() !== '')
  return lines.every(it => HEADING.test(it) || ENTRY.test(it))
}

const HEADING = /^## (\S+)(?: (.+))?$/
const ENTRY = /^- `([^`]+)` (\w+)(?: `([^`]+)`)? (\S+) by (.+)$/

// A name must end neither the code span nor the line, and must not look like another one. A backslash is escaped where
// it could be read as an escape, so that escaping twice changes nothing.
function escapeSpan(text: string): string {
  return text.replace(/\\(?!u\{)|[`\p{C}\p{Zl}\p{Zp}]/gu, it => `\\u{${it.codePointAt(0)!.toString(16)}}`)
}
