import { isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml'

/** A file of a registry, cut between its intents, so that each can be taken over byte for byte. */
export type RegistrySegments = {
  /** The lines before the first intent, without the brackets of an empty list. */
  readonly head: string
  readonly items: readonly RegistryItem[]
  readonly tail: string
}

/** The lines of one intent, and of the comments above it. */
export type RegistryItem = {
  readonly id: string
  /** The comments above. */
  readonly lead: string
  /** The intent as it is written in this file. */
  readonly text: string
  /** The intent as a document of its own. */
  readonly body: string
  /** How many characters stand before a field of the intent; 0 in a file of its own. */
  readonly column: number
}

/** Cuts a text with line ends of one character; null where intents share lines, or where it is not a registry. */
export function registrySegments(text: string): RegistrySegments | null {
  const doc = parseDocument(text)
  if (doc.errors.length > 0 || (doc.contents !== null && !isMap(doc.contents))) return null
  const map = doc.contents
  if (!map?.range || !isMap(map)) return text.trim() === '' ? { head: '', items: [], tail: '' } : null
  const ends = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return map.has('id') ? ownFileSegments(ends, map) : listSegments(ends, map)
}

function ownFileSegments(text: string, map: YAMLMap): RegistrySegments | null {
  const start = lineStart(text, map.range?.[0] ?? 0)
  const item = { id: String(map.get('id')), lead: text.slice(0, start), text: text.slice(start), column: 0 }
  return { head: '', items: [{ ...item, body: item.text }], tail: '' }
}

function listSegments(text: string, map: YAMLMap): RegistrySegments | null {
  const key = map.items.map(it => it.key).find(it => isScalar(it) && it.value === 'active_intents')
  if (!isScalar(key) || !key.range) return null
  const begin = afterLine(text, key.range[0])
  const list = map.get('active_intents')
  if (!isSeq(list) || list.items.length === 0) {
    const head = text.slice(0, begin).replace(/^(active_intents:)[ \t]*(?:\[[ \t]*\]|null|~)?/m, '$1')
    return { head, items: [], tail: text.slice(begin) }
  }
  const cuts = list.flow ? null : itemCuts(text, list, begin)
  if (cuts === null) return null
  const end = cuts.at(-1)?.end ?? begin
  const items = cuts.map(it => itemAt(text, it))
  const isUnique = new Set(items.map(it => it.id)).size === items.length
  return isUnique ? { head: text.slice(0, begin), items, tail: text.slice(end) } : null
}

type ItemCut = { readonly id: string; from: number; dash: number; field: number; end: number }

function itemCuts(text: string, list: YAMLSeq, begin: number): ItemCut[] | null {
  const cuts: ItemCut[] = []
  for (const node of list.items) {
    if (!isMap(node) || !node.range || node.anchor !== undefined) return null
    const [field, valueEnd] = node.range
    const dash = lineStart(text, field)
    if (!/^ *- +$/.test(text.slice(dash, field))) return null
    const end = text[valueEnd - 1] === '\n' ? valueEnd : afterLine(text, valueEnd)
    const previous = cuts.at(-1)
    const least = previous?.end ?? begin
    const from = previous ? aboveComments(text, { least, dash }) : begin
    if (previous) previous.end = from
    cuts.push({ id: String(node.get('id')), from, dash, field, end })
  }
  return cuts
}

// Comments further in than the dash belong to the intent above them.
function aboveComments(text: string, { least, dash }: { readonly least: number; readonly dash: number }): number {
  const indent = /^ */.exec(text.slice(dash))?.[0].length ?? 0
  let from = dash
  while (from > least) {
    const above = lineStart(text, from - 1)
    const line = text.slice(above, from - 1)
    if (above < least || !/^ *(?:#.*)?$/.test(line) || line.search(/#/) > indent) break
    from = above
  }
  return from
}

function itemAt(text: string, { id, from, dash, field, end }: ItemCut): RegistryItem {
  const column = field - dash
  const written = text.slice(dash, end)
  const body = (' '.repeat(column) + written.slice(column)).replace(new RegExp(`^ {1,${column}}`, 'gm'), '')
  return { id, lead: text.slice(from, dash), text: written, body, column }
}

/** Puts the segments together again; an empty list gets its brackets. */
export function segmentsText({ head, tail }: RegistrySegments, items: readonly string[]): string {
  const written = items.length === 0 ? head.replace(/^active_intents:(?=[ \t]*(?:#.*)?$)/m, '$& []') : head
  return written + items.join('') + tail
}

/** Another body of an intent, written where the intent stands. */
export function bodyAt({ text, column }: RegistryItem, body: string): string {
  if (column === 0) return body
  return text.slice(0, column) + body.replace(/^(?=[^\n])/gm, ' '.repeat(column)).slice(column)
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function afterLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end + 1
}
