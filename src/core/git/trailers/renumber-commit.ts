import { citationIn } from './commits.ts'

/** A commit object (latin1) that is made again. */
export type RenumberedCommit = {
  readonly from: string
  readonly to: string
  /** The new name of each parent that was made again as well. */
  readonly parents: ReadonlyMap<string, string>
  /** False where only its parents change. */
  readonly cites: boolean
}

/**
 * A commit object with another intent in the trailers of its message, and with other parents. Tree, author, committer
 * and their dates stay; a signature would not be valid, so it goes.
 */
export function renumberedCommit(object: string, { parents, cites, ...ids }: RenumberedCommit): string {
  const end = object.indexOf('\n\n')
  const header = `${object.slice(0, end)}\n`
    .replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/gm, '')
    .replace(/^(parent )(\w+)$/gm, (_, key: string, oid: string) => key + (parents.get(oid) ?? oid))
  const message = object.slice(end + 1)
  return header + (cites ? withRenumberedTrailers(message, ids) : message)
}

// A message combined from several has the trailers of each.
function withRenumberedTrailers(message: string, { from, to }: Pick<RenumberedCommit, 'from' | 'to'>): string {
  if (!citationIn(message).cited.includes(from)) return message
  return message.replace(new RegExp(`^(Intent-ID[ \\t]*:[ \\t]*)${from}(?=[ \\t]*\\r?$)`, 'gim'), `$1${to}`)
}
