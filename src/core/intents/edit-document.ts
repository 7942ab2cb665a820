import { type Document, isScalar, parseDocument } from 'yaml'

/** Replaces values and no other byte; null when a value does not exist in the text yet. */
export function withScalars(text: string, changes: readonly { node: unknown; value: string }[]): string | null {
  const cuts = changes.flatMap(({ node, value }) => {
    const isOnOneLine = isScalar(node) && node.type !== 'BLOCK_FOLDED' && node.type !== 'BLOCK_LITERAL'
    return isOnOneLine && node.range ? [{ start: node.range[0], end: node.range[1], value }] : []
  })
  if (cuts.length < changes.length) return null
  const fromTheEnd = cuts.sort((a, b) => b.start - a.start)
  return fromTheEnd.reduce((out, { start, end, value }) => out.slice(0, start) + value + out.slice(end), text)
}

/**
 * Edits a YAML text. Keeps comments, order and flow style, and takes the style of lists and brackets and the line
 * endings from the text, so that an edit of one intent is a diff of that intent only.
 */
export function editDocument(text: string, change: (doc: Document) => void): string {
  const doc = parseDocument(text)
  const style = styleOf(text)
  const unchanged = printed(doc, style)
  change(doc)
  const out = withWrittenLines(text.replaceAll('\r\n', '\n'), unchanged, printed(doc, style))
  return text.includes('\r\n') ? out.replace(/\n/g, '\r\n') : out
}

/** How lists and brackets of a text are written. */
type YamlStyle = { readonly indentSeq: boolean; readonly flowCollectionPadding: boolean }

/** The style of a new file. */
export const DEFAULT_STYLE: YamlStyle = { indentSeq: true, flowCollectionPadding: true }

/** The style of a text. */
export function styleOf(text: string): YamlStyle {
  return {
    indentSeq: !/^active_intents:[^\n]*\n(?:[ \t]*(?:#.*)?\r?\n)*-/m.test(text),
    flowCollectionPadding: !/[:,-] [[{][^\s\]}]/.test(text),
  }
}

/** A document as text. */
export function printed(doc: Document, style: YamlStyle): string {
  return doc.toString({ lineWidth: 0, ...style }).replaceAll('\r\n', '\n')
}

// The printer has one style of brackets for a whole document. The lines before and after an edit stay as they were
// written, where the printer makes one line of each.
function withWrittenLines(text: string, unchanged: string, changed: string): string {
  const [written, before, after] = [text, unchanged, changed].map(it => it.split('\n')) as [
    string[],
    string[],
    string[],
  ]
  if (written.length !== before.length) return changed
  const most = Math.min(before.length, after.length)
  let head = 0
  let tail = 0
  while (head < most && before[head] === after[head]) head++
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const kept = [
    ...written.slice(0, head),
    ...after.slice(head, after.length - tail),
    ...written.slice(written.length - tail),
  ].join('\n')
  return isSameYaml(kept, changed) ? kept : changed
}

function isSameYaml(one: string, other: string): boolean {
  const left = parseDocument(one)
  const right = parseDocument(other)
  return left.errors.length === 0 && JSON.stringify(left) === JSON.stringify(right)
}
