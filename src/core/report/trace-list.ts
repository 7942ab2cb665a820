import type { LoggedCommit } from '../git/log.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { plural } from '../base/printable.ts'

/** What a list of the ledger has a line for. */
export type TraceItem = { readonly record: TraceRecord } | { readonly commit: LoggedCommit }

/**
 * Records in the ledger's order with commits between them, oldest first. Git knows the second of a commit, and the
 * writes of that second are most often what was committed: so a commit comes after them, and before what is said of it
 * or happened when it was HEAD.
 */
export function withCommits(records: readonly TraceRecord[], commits: readonly LoggedCommit[]): TraceItem[] {
  const open = [...commits]
  const before = (record: TraceRecord): TraceItem[] => {
    const second = Math.floor(Date.parse(record.timestamp) / 1000)
    const end = open.findLastIndex(it => Date.parse(it.committed) / 1000 < second || isAbout(record, it))
    return open.splice(0, end + 1).map(commit => ({ commit }))
  }
  const listed = records.flatMap(record => [...before(record), { record }])
  return [...listed, ...open.map(commit => ({ commit }))]
}

function isAbout({ files, metadata, vcs }: TraceRecord, { commit }: LoggedCommit): boolean {
  const own = metadata['dev.kotef']
  if ('commit' in own && own.commit === commit) return true
  // A write and its violation may be recorded after the commit that has it.
  const isOfWrite = files.length > 0 || own.event === 'violation'
  return !isOfWrite && vcs?.revision === commit
}

/** The newest items up to a limit, and the line that says what is older; null when nothing is. */
export function newestItems(
  items: readonly TraceItem[],
  { limit, older }: { readonly limit: number | null; readonly older: number },
): { readonly newest: readonly TraceItem[]; readonly cut: string | null } {
  const from = limit === null ? 0 : Math.max(0, items.length - limit)
  const dropped = items.slice(0, from)
  const records = older + dropped.filter(it => 'record' in it).length
  // Of commits from before the first record that was read nothing is known.
  const cut = records > 0 ? plural(records, 'older record') : from > 0 ? plural(from, 'older commit') : null
  return { newest: items.slice(from), cut: cut && `… ${cut}` }
}
