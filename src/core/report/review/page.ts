/**
 * A part of a sentence: a word of kotef's own; a text from a repository, which is data, so every form of a page shows
 * it as it is; a commit; or a number with the words after it. A page of links has one from each of the last three.
 */
export type PagePart = string | PageData | { readonly commit: string } | PageCount

/** A text from a repository; `about` says which of the things that have a page of their own it names. */
export type PageData = { readonly data: string; readonly about?: 'path' | 'intent' }

/** A number of lines, by what they have in common, or of commits. `after` follows it without a space. */
export type PageCount = { readonly n: number; readonly after: string; readonly of: CountedLines | 'commits' }

/** What counted lines have in common; an absent field does not restrict. */
export type CountedLines = {
  /** Null for the lines without an intent. */
  readonly intent?: string | null
  readonly author?: 'ai' | 'human' | 'mixed' | 'unknown' | 'kotef' | 'recorded'
  /** Null for the lines of an agent whose model was not recorded. */
  readonly model?: string | null
  /** Whether their commits have a note. */
  readonly isNoted?: boolean
}

/** A number of lines or commits with its noun, and what follows that. */
export function countPart(n: number, noun: string, { of, after = '' }: Pick<PageCount, 'of'> & { after?: string }) {
  return { n, after: ` ${noun}${n === 1 ? '' : 's'}${after}`, of }
}

/** A part that is not data, as words. */
export function partWords(part: Exclude<PagePart, PageData>): string {
  if (typeof part === 'string') return part
  return 'commit' in part ? part.commit.slice(0, 10) : `${part.n}${part.after}`
}

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
