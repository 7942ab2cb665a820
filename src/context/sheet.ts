import { laidBare } from '../report/printable.ts'

/** A text to be laid out as XML, Markdown or JSON: its parts in order. Every value is visible text already. */
export type Sheet = {
  /** The name of the whole, such as `intent_context`. */
  readonly name: string
  readonly parts: readonly Part[]
}

/** One value, or a list of entries. */
export type Part =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly item: string; readonly entries: readonly Entry[] }

export type Entry = { readonly text: string; readonly about: Readonly<Record<string, string>> }

/** A part with one value. */
export function value(name: string, text: string): Part {
  return { name, text: laidBare(text) }
}

/** A part with a list of entries; what is known about an entry and is null is left out. */
export function list(name: string, item: string, entries: readonly Given[]): Part {
  return { name, item, entries: entries.map(entryOf) }
}

type Given = string | { readonly text: string; readonly about: Readonly<Record<string, string | null>> }

// What can't be seen could say something else to an agent than to the person who reads along.
function entryOf(given: Given): Entry {
  if (typeof given === 'string') return { text: laidBare(given), about: {} }
  const known = Object.entries(given.about).flatMap(([key, it]) => (it === null ? [] : [[key, laidBare(it)]]))
  return { text: laidBare(given.text), about: Object.fromEntries(known) as Record<string, string> }
}
