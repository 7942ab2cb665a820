import { type Document, isNode, isScalar, isSeq, parseDocument } from 'yaml'
import type { Enforcement } from './enforcement.ts'
import type { Intent, IntentStatus } from './intent.ts'

/** The fields of an intent that an edit may replace. */
export type IntentFields = Partial<Omit<Intent, 'id' | 'status' | 'created_at' | 'updated_at'>>

type RequiredField = 'id' | 'status' | 'created_at'

/** Adds an intent at the end of a registry; absent and empty fields are not written. */
export function withIntent(text: string, intent: IntentFields & Pick<Intent, RequiredField>): string {
  return editDocument(text, doc => {
    if (!isSeq(doc.get('active_intents'))) replaceNode(doc, ['active_intents'], [])
    const list = doc.get('active_intents')
    // A list written as `[]` would keep the whole intent on one line.
    if (isSeq(list) && list.items.length === 0) list.flow = false
    doc.addIn(['active_intents'], doc.createNode(orderedFields(intent)))
  })
}

/** Adds globs at the end of a list of a config. */
export function withGlobs(text: string, key: string, globs: readonly string[]): string {
  return editDocument(text, doc => {
    for (const it of globs) doc.addIn([key], doc.createNode(it))
  })
}

/** Sets how a config enforces the rules that have no setting of their own. */
export function withEnforcement(text: string, enforce: Enforcement): string {
  return editDocument(text, doc => doc.set('enforce', enforce))
}

/** Declares another status of an intent. */
export function withStatus(text: string, id: string, status: IntentStatus): string {
  const doc = parseDocument(text)
  const place = [...intentPath(doc, id), 'status']
  const spliced = withScalars(text, [{ node: doc.getIn(place, true), value: status }])
  return spliced ?? editDocument(text, it => it.setIn(place, status))
}

/** The registry without live statuses, which an earlier kotef wrote there: IN_PROGRESS becomes PENDING. */
export function withoutLiveStatuses(text: string): string {
  if (!text.includes('IN_PROGRESS')) return text
  const doc = parseDocument(text)
  const list = doc.get('active_intents')
  const nodes = isSeq(list) ? list.items.map((_, n) => doc.getIn(['active_intents', n, 'status'], true)) : []
  const live = nodes.filter(it => isScalar(it) && it.value === 'IN_PROGRESS')
  return (
    withScalars(
      text,
      live.map(node => ({ node, value: 'PENDING' })),
    ) ?? text
  )
}

/** Replaces fields of an intent. */
export function withFields(text: string, id: string, fields: IntentFields): string {
  return editDocument(text, doc => {
    const place = intentPath(doc, id)
    for (const [name, value] of Object.entries(fields)) replaceNode(doc, [...place, name], value)
  })
}

// Keeps the comments around a value, and around the items of a list that stay.
function replaceNode(doc: Document, place: readonly (string | number)[], value: unknown): void {
  const before = doc.getIn(place, true)
  const node = doc.createNode(value)
  if (isNode(before) && isNode(node)) {
    node.comment = before.comment ?? null
    node.commentBefore = before.commentBefore ?? null
  }
  if (isSeq(before) && isSeq(node)) {
    node.flow = before.flow ?? false
    node.items = node.items.map(it => before.items.find(old => isSameScalar(old, it)) ?? it)
  }
  doc.setIn(place, node)
}

function isSameScalar(a: unknown, b: unknown): boolean {
  return isScalar(a) && isScalar(b) && a.value === b.value
}

const ORDER = ['id', 'name', 'description', 'status', 'owned_scope', 'constraints', 'acceptance_criteria', 'appetite']

function orderedFields(intent: Record<string, unknown>): Record<string, unknown> {
  const keys = [...ORDER, ...Object.keys(intent).filter(key => !ORDER.includes(key))]
  return Object.fromEntries(keys.filter(key => !isEmptyField(intent[key])).map(key => [key, intent[key]]))
}

function isEmptyField(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function intentPath(doc: Document, id: string): readonly (string | number)[] {
  const list = doc.get('active_intents')
  const index = isSeq(list) ? list.items.findIndex((_, n) => doc.getIn(['active_intents', n, 'id']) === id) : -1
  if (index === -1) throw new Error(`${id} is not in the registry`)
  return ['active_intents', index]
}

// The most frequent edit changes no other byte; null when a value does not exist in the text yet.
function withScalars(text: string, changes: readonly { node: unknown; value: string }[]): string | null {
  const cuts = changes.flatMap(({ node, value }) => {
    const isOnOneLine = isScalar(node) && node.type !== 'BLOCK_FOLDED' && node.type !== 'BLOCK_LITERAL'
    return isOnOneLine && node.range ? [{ start: node.range[0], end: node.range[1], value }] : []
  })
  if (cuts.length < changes.length) return null
  const fromTheEnd = cuts.sort((a, b) => b.start - a.start)
  return fromTheEnd.reduce((out, { start, end, value }) => out.slice(0, start) + value + out.slice(end), text)
}

// Keeps comments, order and flow style. Takes the style of lists and brackets and the line endings from the text, so
// that an edit of one intent is a diff of that intent only.
function editDocument(text: string, change: (doc: Document) => void): string {
  const doc = parseDocument(text)
  change(doc)
  const out = doc.toString({
    lineWidth: 0,
    indentSeq: !/^active_intents:[^\n]*\n(?:[ \t]*(?:#.*)?\r?\n)*-/m.test(text),
    flowCollectionPadding: !/[:,-] [[{][^\s\]}]/.test(text),
  })
  return text.includes('\r\n') ? out.replace(/\r?\n/g, '\r\n') : out
}
