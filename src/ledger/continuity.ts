import type { LedgerEntry } from './read-ledger.ts'

/** A file whose content changed between two records without a record of the change. */
export type ContinuityBreak = {
  readonly path: string
  /** The line of the ledger where it shows. */
  readonly line: number
  readonly after: string | null
  readonly before: string | null
}

/**
 * Takes the records of a ledger in order; finds writes that began with another content than the one that the file's
 * previous record ended with (git may have changed it in between).
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
