import { Document, type YAMLMap, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml'
import { DEFAULT_STYLE, editDocument, printed, styleOf, withScalars } from './edit-document.ts'
import type { Enforcement } from './enforcement.ts'
import { KotefError } from '../base/failure.ts'
import type { Intent, IntentStatus } from './intent.ts'
import { intentFilePath, type RegistryPart, registryParts, withParts } from './registry-text.ts'

/** The fields of an intent that an edit may replace. */
export type IntentFields = Partial<Omit<Intent, 'id' | 'status' | 'created_at' | 'updated_at'>>

type NewIntent = IntentFields & Pick<Intent, 'id' | 'status' | 'created_at'>

/** Adds an intent at the end of a registry's list, or in a file of its own; absent and empty fields are not written. */
export function withIntent(text: string, intent: NewIntent, { ownFile = false } = {}): string {
  const [list, ...files] = registryParts(text)
  if (!list) return text
  if (!ownFile) return withParts([{ ...list, text: withListedIntent(list.text, intent) }, ...files])
  const path = intentFilePath(intent.id)
  if (files.some(it => it.path === path)) throw takenId(intent.id)
  return withParts([list, ...files, { path, text: printed(new Document(orderedFields(intent)), DEFAULT_STYLE) }])
}

function takenId(id: string): KotefError {
  return new KotefError('usage', `There is an intent ${id} already: ${intentFilePath(id)}`, {
    hint: 'Leave out --id for the next free number.',
  })
}

function withListedIntent(text: string, intent: NewIntent): string {
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
    if (!isSeq(doc.get(key))) doc.set(key, doc.createNode([]))
    for (const it of globs) doc.addIn([key], doc.createNode(it))
  })
}

/** Sets how a config enforces the rules that have no setting of their own. */
export function withEnforcement(
  text: string,
  { enforce, blockFrom }: { readonly enforce: Enforcement; readonly blockFrom: string | null },
): string {
  return editDocument(text, doc => {
    doc.set('enforce', enforce)
    if (blockFrom === null) doc.delete('block_from')
    else doc.set('block_from', blockFrom)
  })
}

/** Declares another status of an intent. */
export function withStatus(text: string, id: string, status: IntentStatus): string {
  return editIntentIn(text, id, (part, placeIn) => {
    const doc = parseDocument(part)
    const place = [...placeIn(doc), 'status']
    const spliced = withScalars(part, [{ node: doc.getIn(place, true), value: status }])
    return spliced ?? editDocument(part, it => it.setIn(place, status))
  })
}

/** The registry without live statuses, which an earlier kotef wrote there: IN_PROGRESS becomes PENDING. */
export function withoutLiveStatuses(text: string): string {
  if (!text.includes('IN_PROGRESS')) return text
  return withParts(registryParts(text).map(it => ({ ...it, text: withoutLiveStatusesIn(it.text) })))
}

function withoutLiveStatusesIn(text: string): string {
  const doc = parseDocument(text)
  const live = intentPlaces(doc)
    .map(it => doc.getIn([...it, 'status'], true))
    .filter(it => isScalar(it) && it.value === 'IN_PROGRESS')
  return (
    withScalars(
      text,
      live.map(node => ({ node, value: 'PENDING' })),
    ) ?? text
  )
}

/** Replaces fields of an intent. */
export function withFields(text: string, id: string, fields: IntentFields): string {
  return editIntentIn(text, id, (part, placeIn) =>
    editDocument(part, doc => {
      for (const [name, value] of Object.entries(fields)) {
        const place = [...placeIn(doc), name]
        if (value === undefined) doc.deleteIn(place)
        else replaceNode(doc, place, value)
      }
    }),
  )
}

/** The registry with each intent of the list in a file of its own, and the comments above it. */
export function splitRegistry(text: string): string {
  const [list, ...files] = registryParts(text)
  if (!list) return text
  const doc = parseDocument(list.text)
  const intents = intentPlaces(doc).flatMap(place => fileOfIntent(list.text, doc, place))
  if (intents.length === 0) return text
  const emptied = editDocument(list.text, it => it.set('active_intents', it.createNode([])))
  return withParts([{ ...list, text: emptied }, ...files, ...intents])
}

function fileOfIntent(text: string, doc: Document, place: YamlPlace): RegistryPart[] {
  const node = doc.getIn(place, true)
  const list = doc.get('active_intents')
  if (!isMap(node) || !isSeq(list)) return []
  // YAML gives a comment above the first item to the list.
  const comment = (list.items[0] === node ? list.commentBefore : null) ?? node.commentBefore ?? null
  const above = comment === null ? '' : `${comment.replace(/^/gm, '#')}\n`
  return [{ path: intentFilePath(String(node.get('id'))), text: above + ownText(text, node) }]
}

// A block keeps every byte but its indentation; what is in brackets is written as a block.
function ownText(text: string, node: YAMLMap): string {
  const [start, , end] = node.range ?? [0, 0, 0]
  if (!node.flow) {
    const column = start - (text.lastIndexOf('\n', start - 1) + 1)
    return `${text
      .slice(start, end)
      .replace(new RegExp(`^ {1,${column}}`, 'gm'), '')
      .trimEnd()}\n`
  }
  const own = new Document(node.clone())
  if (isMap(own.contents)) Object.assign(own.contents, { flow: false, commentBefore: null })
  return printed(own, styleOf(text))
}

/** The registry as one list, for programs that read the list alone. */
export function asOneList(text: string): string {
  const [list, ...files] = registryParts(text)
  if (!list || files.length === 0) return list?.text ?? ''
  return editDocument(list.text, doc => {
    if (!isSeq(doc.get('active_intents'))) replaceNode(doc, ['active_intents'], [])
    const items = doc.get('active_intents')
    if (isSeq(items) && items.items.length === 0) items.flow = false
    for (const it of files) doc.addIn(['active_intents'], parseDocument(it.text).contents)
  })
}

type YamlPlace = readonly (string | number)[]
type PartEdit = (text: string, placeIn: (doc: Document) => YamlPlace) => string

// Edits the file that has the intent; its place there is [] in a file of its own.
function editIntentIn(text: string, id: string, edit: PartEdit): string {
  const parts = registryParts(text)
  const placeOf = (doc: Document) => intentPlaces(doc).find(it => doc.getIn([...it, 'id']) === id) ?? null
  const at = parts.findIndex(it => placeOf(parseDocument(it.text)) !== null)
  if (at === -1) throw new Error(`${id} is not in the registry`)
  const placeIn = (doc: Document) => placeOf(doc) ?? []
  return withParts(parts.map((it, n) => (n === at ? { ...it, text: edit(it.text, placeIn) } : it)))
}

/** Where the intents of a document are; [] for one in a file of its own. */
export function intentPlaces(doc: Document): YamlPlace[] {
  const list = isMap(doc.contents) && doc.has('active_intents') ? doc.get('active_intents') : null
  if (isSeq(list)) return list.items.map((_, n) => ['active_intents', n])
  return isMap(doc.contents) && doc.has('id') ? [[]] : []
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
