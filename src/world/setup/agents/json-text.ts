import { applyEdits, type Edit, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A value of JSON, as `JSON.parse` gives it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A value in its text: its offset and length, and the members or elements in it. */
export type JsonNode = Node

/** The root value of a JSON text, which may have comments and trailing commas; null when the text is damaged. */
export function parseJsonTree(text: string): JsonNode | null {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  return root && errors.length === 0 ? root : null
}

/** The value that a node spells. */
export function jsonValueOf(node: JsonNode): JsonValue {
  return getNodeValue(node) as JsonValue
}

/** The value of an object's member. When the key is repeated, the last one counts, as for `JSON.parse`. */
export function jsonMember(node: JsonNode | null | undefined, key: string): JsonNode | undefined {
  const members = node?.type === 'object' ? (node.children ?? []) : []
  return members.findLast(it => it.children?.[0]?.value === key)?.children?.[1]
}

/** The text with one more item at the end of an object or a list, laid out as its neighbours are. */
export function addJsonItem(
  text: string,
  into: JsonNode,
  { key, value }: { key: string | null; value: JsonValue },
): string {
  const first = into.children?.at(0)
  const last = into.children?.at(-1)
  const from = last ? endOf(last) : into.offset + 1
  const gap = readGap(text, from, endOf(into) - 1)
  const name = key === null ? '' : `${JSON.stringify(key)}: `
  const isOnOneLine = first !== undefined && !text.slice(into.offset, first.offset).includes('\n')
  if (isOnOneLine && !gap.hasComment) return insertItem(text, ` ${name}${JSON.stringify(value)}`, { last, gap })
  const outer = indentAt(text, into.offset)
  const indent = first && !isOnOneLine ? indentAt(text, first.offset) : outer + indentUnit(text)
  const item = `${lineEnding(text)}${indent}${name}${formatValue(text, value, indent)}`
  if (last) return insertItem(text, item, { last, gap })
  // Without a comment nothing but spaces is between the brackets, and the closing one gets a line of its own.
  const end = gap.hasComment && text.slice(gap.end, endOf(into)).includes('\n') ? '' : `${lineEnding(text)}${outer}`
  const spaces = gap.hasComment ? 0 : endOf(into) - 1 - gap.end
  return applyEdits(text, [{ offset: gap.end, length: spaces, content: item + end }])
}

/** The text without a member of an object or an element of a list. All other values keep their comments. */
export function removeJsonItem(text: string, value: JsonNode): string {
  const item = value.parent?.type === 'property' ? value.parent : value
  const siblings = item.parent?.children ?? []
  const previous = siblings[siblings.indexOf(item) - 1]
  const next = siblings[siblings.indexOf(item) + 1]
  const container = item.parent ?? item
  const after = readGap(text, endOf(item), next?.offset ?? endOf(container) - 1)
  if (next) {
    const end = (after.comma ?? endOf(item)) + 1
    return applyEdits(text, [remove(item.offset, end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0))])
  }
  const before = readGap(text, previous ? endOf(previous) : container.offset + 1, item.offset)
  if (!previous && !before.hasComment && !after.hasComment)
    return applyEdits(text, [remove(container.offset + 1, endOf(container) - 1)])
  const end = after.comma === null ? endOf(item) : after.comma + 1
  // A line comment must not swallow the rest of the item's line.
  const isMidLine = before.hasComment && !/^[ \t]*\r?\n/.test(text.slice(end))
  const cut = remove(isMidLine ? item.offset : before.end, end)
  const comma = before.comma === null || after.comma !== null ? [] : [remove(before.comma, before.comma + 1)]
  return applyEdits(text, [...comma, cut])
}

/** The text with another value in place of a node. */
export function replaceJsonValue(text: string, { offset, length }: JsonNode, value: JsonValue): string {
  return applyEdits(text, [{ offset, length, content: formatValue(text, value, indentAt(text, offset)) }])
}

/** True when nothing but spaces is in an object or a list: no value, and no comment. */
export function isEmptyJson(text: string, node: JsonNode): boolean {
  return node.children?.length === 0 && text.slice(node.offset + 1, endOf(node) - 1).trim() === ''
}

type Gap = { readonly comma: number | null; readonly hasComment: boolean; readonly end: number }

// Beside a value are only spaces, comments and one comma. `end` is the end of the last comment or comma.
function readGap(text: string, from: number, to: number): Gap {
  const found = [...text.slice(from, to).matchAll(/\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g)]
  const comma = found.find(it => it[0] === ',')
  const last = found.at(-1)
  return {
    comma: comma ? from + comma.index : null,
    hasComment: found.some(it => it[0] !== ','),
    end: last ? from + last.index + last[0].length : from,
  }
}

// A comment stays at the value before it. A list that ends in a comma will end in one.
function insertItem(text: string, item: string, { last, gap }: { last: JsonNode | undefined; gap: Gap }): string {
  if (gap.comma !== null || !last) return applyEdits(text, [insert(gap.end, `${item},`)])
  return applyEdits(text, [insert(endOf(last), ','), insert(gap.end, item)])
}

function insert(offset: number, content: string): Edit {
  return { offset, length: 0, content }
}

function remove(from: number, to: number): Edit {
  return { offset: from, length: to - from, content: '' }
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length
}

function formatValue(text: string, value: JsonValue, indent: string): string {
  return JSON.stringify(value, null, indentUnit(text)).replaceAll('\n', lineEnding(text) + indent)
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

/** The spaces or tabs of one level of this text. */
function indentUnit(text: string): string {
  return /^[ \t]+/m.exec(text)?.[0] ?? '  '
}

function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
