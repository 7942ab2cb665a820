import type { Authorship } from '../ledger/commit-record.ts'
import type { Doubt } from '../ledger/event.ts'

/** How an author is known, in brackets: with the one who may have written it as well. */
export function certaintyText({ attribution, doubt }: Pick<Authorship, 'attribution' | 'doubt'>): string {
  return doubt === undefined ? `(${attribution})` : `(${attribution}; ${DOUBT_TEXT[doubt]})`
}

const DOUBT_TEXT: Readonly<Record<Doubt, string>> = {
  person: 'a command ran, and a person may have written it meanwhile',
  agent: 'another agent’s command ran too, and may have written it',
}
