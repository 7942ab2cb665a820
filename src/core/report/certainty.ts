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

/** What names the author of a line: its commit's note, the same content elsewhere, the ledger, or nothing. */
export type Evidence = 'note' | 'content' | 'working' | 'none'

/** The source of an author, in words. */
export const EVIDENCE_TEXT: Readonly<Record<Evidence, string>> = {
  note: 'the note on the commit',
  content: 'the same content in the ledger or in a note',
  working: 'the ledger',
  none: 'nothing',
}
