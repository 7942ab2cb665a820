/** A value of JSON, as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A value in its text: where it begins and ends, and what is in it. */
export type Node = {
  readonly kind: 'object' | 'list' | 'scalar'
  readonly start: number
  readonly end: number
  readonly items: readonly Item[]
}

/** A member of an object, or an element of a list, which has no key; it begins where its key does. */
export type Item = { readonly key: string | null; readonly start: number; readonly node: Node }

/** What a text of JSON is in parts; null when it is no JSON. */
export function nodeOf(text: string): Node | null {
  try {
    JSON.parse(text)
    return nodeAt(text, pastSpace(text, 0))
  } catch {
    return null
  }
}

/** The value that a node spells. */
export function valueOf(text: string, { start, end }: Node): Json {
  return JSON.parse(text.slice(start, end)) as Json
}

/** The member of an object with this key; of several it is the last one that counts. */
export function memberOf(node: Node | null | undefined, key: string): Item | undefined {
  return node?.kind === 'object' ? node.items.findLast(it => it.key === key) : undefined
}

/** The text with one more item at the end of an object or a list, laid out as its neighbours are. */
export function withItem(text: string, into: Node, { key, value }: { key: string | null; value: Json }): string {
  const line = lineEndOf(text)
  const [first] = into.items
  const last = into.items.at(-1)
  const isOnOneLine = first !== undefined && !text.slice(into.start, first.start).includes('\n')
  const indent =
    isOnOneLine || first === undefined ? indentAt(text, into.start) + unitOf(text) : indentAt(text, first.start)
  const name = key === null ? '' : `${JSON.stringify(key)}: `
  if (last && isOnOneLine)
    return spliced(text, { start: last.node.end, end: last.node.end }, `, ${name}${JSON.stringify(value)}`)
  const item = `${line}${indent}${name}${printed(text, value, indent)}`
  if (last) return spliced(text, { start: last.node.end, end: last.node.end }, `,${item}`)
  return spliced(text, { start: into.start + 1, end: into.end - 1 }, `${item}${line}${indentAt(text, into.start)}`)
}

/** The text without an item; what stands around the others stays as it is. */
export function withoutItem(text: string, { items, start, end }: Node, item: Item): string {
  const at = items.indexOf(item)
  const [before, after] = [items[at - 1], items[at + 1]]
  if (before) return spliced(text, { start: before.node.end, end: item.node.end }, '')
  if (after) return spliced(text, { start: item.start, end: after.start }, '')
  return spliced(text, { start: start + 1, end: end - 1 }, '')
}

/** The text with another value in place of a node. */
export function withValue(text: string, { start, end }: Node, value: Json): string {
  return spliced(text, { start: start, end: end }, printed(text, value, indentAt(text, start)))
}

function nodeAt(text: string, start: number): Node {
  if (text[start] === '{' || text[start] === '[') return containerAt(text, start)
  const end = text[start] === '"' ? pastString(text, start) : past(/[^\s,\]}]*/y, text, start)
  return { kind: 'scalar', start, end, items: [] }
}

function containerAt(text: string, start: number): Node {
  const kind = text[start] === '{' ? 'object' : 'list'
  const items: Item[] = []
  let at = pastSpace(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const keyEnd = kind === 'object' ? pastString(text, at) : null
    const key = keyEnd === null ? null : (JSON.parse(text.slice(at, keyEnd)) as string)
    const node = nodeAt(text, keyEnd === null ? at : pastSpace(text, pastSpace(text, keyEnd) + 1))
    items.push({ key, start: at, node })
    at = pastSpace(text, node.end)
    if (text[at] === ',') at = pastSpace(text, at + 1)
  }
  return { kind, start, end: at + 1, items }
}

function pastString(text: string, at: number): number {
  return past(/"(?:[^"\\]|\\.)*"/y, text, at)
}

function pastSpace(text: string, at: number): number {
  return past(/[ \t\r\n]*/y, text, at)
}

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

function spliced(text: string, { start, end }: { start: number; end: number }, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

function printed(text: string, value: Json, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent)
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

/** What one step inwards is in this text. */
function unitOf(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  '
}

function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
