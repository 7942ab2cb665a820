import { escapeInvisible } from '../../base/printable.ts'

/** A document to render as XML, Markdown or JSON: its parts in order. Invisible characters are already escaped. */
export type Sheet = {
  /** The name of the document, such as `intent_context`. */
  readonly name: string
  readonly parts: readonly SheetPart[]
}

/** One value, or a list of entries. */
export type SheetPart =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string
      readonly item: string
      readonly entries: readonly SheetEntry[]
      /** What is said about all entries of the list; nothing for an empty one. */
      readonly about?: Fields
    }

type SheetEntry = { readonly text: string; readonly about: Fields }
type Fields = Readonly<Record<string, string>>

/** A part with one value. */
export function valuePart(name: string, text: string): SheetPart {
  return { name, text: escapeInvisible(text) }
}

/** A part with a list of entries; null fields of `about` are left out. */
export function listPart(name: string, item: string, entries: readonly EntryInput[]): SheetPart {
  return { name, item, entries: entries.map(sheetEntry) }
}

/** A list of entries, with fields about all of them. */
export function describedPart(name: string, about: Fields, part: ListInput): SheetPart {
  const list = { name, item: part.item, entries: part.entries.map(sheetEntry) }
  return list.entries.length === 0 ? list : { ...list, about }
}

type ListInput = { readonly item: string; readonly entries: readonly EntryInput[] }

type EntryInput = string | { readonly text: string; readonly about: Readonly<Record<string, string | null>> }

// Invisible characters could say something else to an agent than to a person who reads the same text.
function sheetEntry(input: EntryInput): SheetEntry {
  if (typeof input === 'string') return { text: escapeInvisible(input), about: {} }
  const known = Object.entries(input.about).flatMap(([key, it]) => (it === null ? [] : [[key, escapeInvisible(it)]]))
  return { text: escapeInvisible(input.text), about: Object.fromEntries(known) as Record<string, string> }
}

export const CONTEXT_FORMATS = ['xml', 'md', 'json'] as const
export type ContextFormat = (typeof CONTEXT_FORMATS)[number]

/** Renders a sheet. Every value is escaped, so that no text in it is read as markup. */
export function renderSheet(sheet: Sheet, format: ContextFormat): string {
  if (format === 'json') return JSON.stringify({ [sheet.name]: sheetObject(sheet) }, null, 1)
  return (format === 'xml' ? xmlOf(sheet) : markdownOf(sheet)).join('\n')
}

/** A sheet as a value that can be printed as JSON. */
export function sheetObject({ parts }: Sheet): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parts.flatMap(it => ('text' in it ? [[it.name, it.text]] : listValues(it))))
}

type ListPart = Exclude<SheetPart, { readonly text: string }>

function listValues(part: ListPart): [string, unknown][] {
  const { name, about, entries } = part
  return [
    ...(about ? [[`${name}_about`, about] as [string, unknown]] : []),
    [name, entries.map(it => entryValue(part, it))],
  ]
}

function entryValue({ item }: { readonly item: string }, { text, about }: SheetEntry): unknown {
  return Object.keys(about).length === 0 ? text : { [item]: text, ...about }
}

function xmlOf({ name, parts }: Sheet): string[] {
  return [`<${name}>`, ...parts.flatMap(xmlPart), `</${name}>`]
}

function xmlPart(part: SheetPart): string[] {
  if ('text' in part) return [`  <${part.name}>${escapeXml(part.text)}</${part.name}>`]
  if (part.entries.length === 0) return [`  <${part.name}></${part.name}>`]
  const entries = part.entries.map(({ text, about }) => {
    return `    <${part.item}${attributes(about)}>${escapeXml(text)}</${part.item}>`
  })
  return [`  <${part.name}${attributes(part.about ?? {})}>`, ...entries, `  </${part.name}>`]
}

function attributes(fields: Fields): string {
  const written = Object.entries(fields).map(
    ([key, it]) => ` ${key}="${escapeXml(it).replace(/[\n\t]/g, characterReference)}"`,
  )
  return written.join('')
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, it => ENTITIES[it] ?? it)
}

// An XML parser replaces a raw newline or tab in an attribute by a space.
function characterReference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

function markdownOf({ name, parts }: Sheet): string[] {
  return [`# ${name}`, ...parts.flatMap(part => ['', `## ${part.name}`, ...markdownPart(part)])]
}

function markdownPart(part: SheetPart): string[] {
  if ('text' in part) return [codeSpan(part.text)]
  if (part.entries.length === 0) return ['none']
  const entries = part.entries.map(({ text, about }) => {
    return `- ${[...(text === '' ? [] : [codeSpan(text)]), ...namedSpans(about)].join(', ')}`
  })
  return part.about ? [namedSpans(part.about).join(', '), '', ...entries] : entries
}

function namedSpans(fields: Fields): string[] {
  return Object.entries(fields).map(([key, it]) => `${key} ${codeSpan(it)}`)
}

// In a code span only a run of as many backticks as it starts with is markup.
function codeSpan(text: string): string {
  if (text === '') return 'nothing'
  const line = text.replaceAll('\n', '\\n')
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(it => it[0].length))
  const fence = '`'.repeat(longest + 1)
  const room = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${room}${line}${room}${fence}`
}
