/**
 * A part of a sentence: a word of kotef's own, or a text from a repository. The latter is data, so every form of a page
 * shows it as it is.
 */
export type PagePart = string | { readonly data: string }

/** One line of a page. */
export type PageLine = readonly PagePart[]

/** A point of a list, with lines below it. */
export type PagePoint = { readonly line: PageLine; readonly below?: readonly PageLine[] }

/** A part of a page: a heading, a paragraph, or a list of which at most some points are shown, folded or not. */
export type PageBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly line: PageLine }
  | { readonly kind: 'paragraph'; readonly line: PageLine }
  | { readonly kind: 'list'; readonly points: readonly PagePoint[] }
  | { readonly kind: 'folded'; readonly title: string; readonly points: readonly PagePoint[] }

/** The limits of a page. What goes beyond them is counted in its place. */
export type PageLimits = {
  /** The points of one list, and the intents of a report. */
  readonly pointsMax: number
  /** The characters of one text from the repository. */
  readonly charactersMax: number
}

/** At most some of many things, and a last one that counts the others. */
export function limitedTo<T>(countMax: number, all: readonly T[], more: (count: number) => T): T[] {
  const shown = all.slice(0, countMax)
  return all.length > shown.length ? [...shown, more(all.length - shown.length)] : shown
}
