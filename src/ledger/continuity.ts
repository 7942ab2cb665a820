import type { LedgerEntry } from './read-ledger.ts'

/** A file whose content changed between two records with no record of it. */
export type ContinuityBreak = {
  readonly path: string
  /** Line of the ledger at which the change is noticed. */
  readonly line: number
  readonly after: string | null
  readonly before: string | null
}

/**
 * Is told of every record in order; finds where what a file was before a write is not what the write before it left
 * (git may have synced it).
 */
export function continuityFollower(): (entry: LedgerEntry) => ContinuityBreak[] {
  const lastContents = new Map<string, string | null>()
  return ({ line, record }) =>
    record.files.flatMap(({ path, kotef }) => {
      const source = kotef.from ?? path
      const after = lastContents.get(source)
      if (kotef.from !== undefined) lastContents.set(kotef.from, null)
      lastContents.set(path, kotef.after)
      return after === undefined || after === kotef.before ? [] : [{ path, line, after, before: kotef.before }]
    })
}
