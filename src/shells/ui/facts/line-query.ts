import type { LineQuery } from '../pages/links.ts'
import type { LinesFacts } from '../pages/lines-page.tsx'
import { firstItem } from '../pages/pager.tsx'
import { momentOf } from '../pages/periods.ts'

/** The lines of a list that are on one page of it, and how far the list is known. */
export type LineList = Pick<LinesFacts, 'total' | 'lines' | 'reading'>

/** How many lines one page has. */
export const LINES_A_PAGE = 200

/** The filter of an address of a list of lines. What it does not know, or can't understand, does not restrict. */
export function lineQueryOf(query: URLSearchParams): LineQuery {
  const without = query.get('without')?.split(',') ?? []
  const textOf = (name: string) => (without.includes(name) ? '' : (query.get(name) ?? undefined))
  const author = AUTHORS.find(it => it === query.get('author'))
  const note = NOTES.find(it => it === query.get('note'))
  const from = firstItem(query.get('from'))
  return {
    range: textOf('range') || undefined,
    intent: textOf('intent'),
    author,
    model: textOf('model'),
    person: textOf('person'),
    since: momentParameter(query, 'since'),
    until: momentParameter(query, 'until'),
    file: textOf('file'),
    policy: query.get('policy') === 'no' ? 'no' : undefined,
    alive: query.get('alive') === 'yes' ? 'yes' : undefined,
    note,
    from: from === 0 ? undefined : from,
  }
}

const AUTHORS = ['human', 'ai', 'mixed', 'unknown', 'kotef', 'recorded'] as const
const NOTES = ['yes', 'no'] as const

/** A moment in an address, as it is there; undefined when it is not understood. */
export function momentParameter(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name) ?? ''
  return momentOf(text) === null ? undefined : text
}
