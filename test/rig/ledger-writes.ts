// The writes that a ledger records, read without kotef's own code.

import { createHash } from 'node:crypto'
import type { Tree } from './tree.ts'

/** One file of one write record, read from the ledger's text without anything of kotef's own. */
export type LedgerWrite = {
  readonly id: string
  readonly path: string
  readonly from: string | null
  readonly before: string | null
  readonly after: string | null
  readonly source: string
}

type LedgerLine = {
  readonly id: string
  readonly files: readonly { path: string; kotef: { from?: string; before: string | null; after: string | null } }[]
  readonly metadata: {
    readonly 'dev.kotef': {
      readonly event: string
      readonly source?: string
      readonly writer: string
      readonly seq: number
      readonly prev: string | null
      readonly hash: string
    }
  }
}

/** What a ledger says was written, oldest first. */
export function ledgerWrites(ledger: string): LedgerWrite[] {
  return parseLines(ledger).flatMap(({ line: { id, files, metadata } }) =>
    files.map(({ path, kotef: { from = null, before, after } }) => {
      return { id, path, from, before, after, source: metadata['dev.kotef'].source ?? '' }
    }),
  )
}

/** What a tree has become by these writes. */
export function treeAfter(base: ReadonlyMap<string, string>, written: readonly LedgerWrite[]): Tree {
  const tree = new Map(base)
  for (const { path, from, after } of written) {
    if (from !== null) tree.delete(from)
    if (after === null) tree.delete(path)
    else tree.set(path, after)
  }
  return tree
}

/** What is wrong with the chains of a ledger, and with its lines. */
export function chainFaults(ledger: string): string[] {
  const ends = new Map<string, { seq: number; hash: string }>()
  return parseLines(ledger).flatMap(({ line, text }, n) => {
    const { writer, seq, prev, hash } = line.metadata['dev.kotef']
    const before = ends.get(writer)
    ends.set(writer, { seq, hash })
    const rest = createHash('sha256')
      .update(text.replace(`,"hash":"${hash}"`, ''))
      .digest('hex')
    const faults = [
      ...(rest === hash ? [] : ['is not what was written']),
      ...(seq === (before?.seq ?? -1) + 1 ? [] : [`has number ${seq} after ${before?.seq}`]),
      ...(prev === (before?.hash ?? null) ? [] : ['does not follow']),
    ]
    return faults.map(it => `line ${n + 1} ${it}`)
  })
}

/** The ids of all records of a ledger. */
export function recordIds(ledger: string): Set<string> {
  return new Set(parseLines(ledger).map(it => it.line.id))
}

// What a killed daemon left half-written is no line.
function parseLines(ledger: string): { text: string; line: LedgerLine }[] {
  return ledger.split('\n').flatMap(text => {
    try {
      return [{ text, line: JSON.parse(text) as LedgerLine }]
    } catch {
      return []
    }
  })
}
