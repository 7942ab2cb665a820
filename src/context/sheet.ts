import { escapeInvisible } from '../text/printable.ts'

/** A document to render as XML, Markdown or JSON: its parts in order. Invisible characters are already escaped. */
export type Sheet = {
  /** The name of the document, such as `intent_context`. */
  readonly name: string
  readonly parts: readonly SheetPart[]
}

/** One value, or a list of entries. */
export type SheetPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly item: string; readonly entries: readonly SheetEntry[] }

export type SheetEntry = { readonly text: string; readonly about: Readonly<Record<string, string>> }

/** A part with one value. */
export function valuePart(name: string, text: string): SheetPart {
  return { name, text: escapeInvisible(text) }
}

/** A part with a list of entries; null fields of `about` are left out. */
export function listPart(name: string, item: string, entries: readonly EntryInput[]): SheetPart {
  return { name, item, entries: entries.map(sheetEntry) }
}

type EntryInput = string | { readonly text: string; readonly about: Readonly<Record<string, string | null>> }

// Invisible characters could say something else to an agent than to a person who reads the same text.
function sheetEntry(input: EntryInput): SheetEntry {
  if (typeof input === 'string') return { text: escapeInvisible(input), about: {} }
  const known = Object.entries(input.about).flatMap(([key, it]) => (it === null ? [] : [[key, escapeInvisible(it)]]))
  return { text: escapeInvisible(input.text), about: Object.fromEntries(known) as Record<string, string> }
}
