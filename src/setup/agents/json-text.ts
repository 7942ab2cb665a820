/** A value of JSON, as `JSON.parse` gives it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A value in its text: where it begins and ends, and what is in it. */
export type JsonNode = {
  readonly kind: 'object' | 'list' | 'scalar'
  readonly start: number
  readonly end: number
  readonly items: readonly JsonItem[]
}

/** A member of an object, or an element of a list, which has no key; it begins where its key does. */
export type JsonItem = { readonly key: string | null; readonly start: number; readonly node: JsonNode }

/** What a text of JSON is in parts; null when it is no JSON. */
export function parseJsonNode(text: string): JsonNode | null {
  try {
    JSON.parse(text)
    return nodeAt(text, endOfSpace(text, 0))
  } catch {
    return null
  }
}

/** The value that a node spells. */
export function jsonValueOf(text: string, { start, end }: JsonNode): JsonValue {
  return JSON.parse(text.slice(start, end)) as JsonValue
}

/** The member of an object with this key; of several it is the last one that counts. */
export function jsonMember(node: JsonNode | null | undefined, key: string): JsonItem | undefined {
  return node?.kind === 'object' ? node.items.findLast(it => it.key === key) : undefined
}

/** The text with one more item at the end of an object or a list, laid out as its neighbours are. */
export function addJsonItem(
  text: string,
  into: JsonNode,
  { key, value }: { key: string | null; value: JsonValue },
): string {
  const line = lineEnding(text)
  const [first] = into.items
  const last = into.items.at(-1)
  const isOnOneLine = first !== undefined && !text.slice(into.start, first.start).includes('\n')
  const indent =
    isOnOneLine || first === undefined ? indentAt(text, into.start) + indentUnit(text) : indentAt(text, first.start)
  const name = key === null ? '' : `${JSON.stringify(key)}: `
  if (last && isOnOneLine)
    return splice(text, { start: last.node.end, end: last.node.end }, `, ${name}${JSON.stringify(value)}`)
  const item = `${line}${indent}${name}${formatValue(text, value, indent)}`
  if (last) return splice(text, { start: last.node.end, end: last.node.end }, `,${item}`)
  return splice(text, { start: into.start + 1, end: into.end - 1 }, `${item}${line}${indentAt(text, into.start)}`)
}

/** The text without an item; what stands around the others stays as it is. */
export function removeJsonItem(text: string, { items, start, end }: JsonNode, item: JsonItem): string {
  const at = items.indexOf(item)
  const [before, after] = [items[at - 1], items[at + 1]]
  if (before) return splice(text, { start: before.node.end, end: item.node.end }, '')
  if (after) return splice(text, { start: item.start, end: after.start }, '')
  return splice(text, { start: start + 1, end: end - 1 }, '')
}

/** The text with another value in place of a node. */
export function replaceJsonValue(text: string, { start, end }: JsonNode, value: JsonValue): string {
  return splice(text, { start, end }, formatValue(text, value, indentAt(text, start)))
}

function nodeAt(text: string, start: number): JsonNode {
  if (text[start] === '{' || text[start] === '[') return containerAt(text, start)
  const end = text[start] === '"' ? endOfString(text, start) : endOfMatch(/[^\s,\]}]*/y, text, start)
  return { kind: 'scalar', start, end, items: [] }
}

function containerAt(text: string, start: number): JsonNode {
  const kind = text[start] === '{' ? 'object' : 'list'
  const items: JsonItem[] = []
  let at = endOfSpace(text, start + 1)
  while (text[at] !== '}' && text[at] !== ']') {
    const keyEnd = kind === 'object' ? endOfString(text, at) : null
    const key = keyEnd === null ? null : (JSON.parse(text.slice(at, keyEnd)) as string)
    const node = nodeAt(text, keyEnd === null ? at : endOfSpace(text, endOfSpace(text, keyEnd) + 1))
    items.push({ key, start: at, node })
    at = endOfSpace(text, node.end)
    if (text[at] === ',') at = endOfSpace(text, at + 1)
  }
  return { kind, start, end: at + 1, items }
}

function endOfString(text: string, at: number): number {
  return endOfMatch(/"(?:[^"\\]|\\.)*"/y, text, at)
}

function endOfSpace(text: string, at: number): number {
  return endOfMatch(/[ \t\r\n]*/y, text, at)
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

function splice(text: string, { start, end }: { start: number; end: number }, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

function formatValue(text: string, value: JsonValue, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', lineEnding(text) + indent)
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

/** What one step inwards is in this text. */
function indentUnit(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  '
}

function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
