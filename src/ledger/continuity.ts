import type { Entry } from './read.ts'

/** A file whose content changed between two records with no record of it. */
export type Break = {
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
export function continuityFollower(): (entry: Entry) => Break[] {
  const left = new Map<string, string | null>()
  return ({ line, record }) =>
    record.files.flatMap(({ path, kotef }) => {
      const source = kotef.from ?? path
      const after = left.get(source)
      if (kotef.from !== undefined) left.set(kotef.from, null)
      left.set(path, kotef.after)
      return after === undefined || after === kotef.before ? [] : [{ path, line, after, before: kotef.before }]
    })
}
