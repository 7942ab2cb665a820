import { authorshipClaims } from '../../../core/ledger/authorship-claims.ts'
import { matchesFilter, type RecordFilter } from '../../../core/ledger/record-filter.ts'
import type { TraceRecord } from '../../../core/ledger/record.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { commitLog, type LoggedCommit } from '../../../core/git/log.ts'
import { committedLine, dayLister, kindWidth, recordKind, recordLine } from '../../../core/report/record-line.ts'
import { newestItems, type TraceItem, withCommits } from '../../../core/report/trace-list.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import { catchUpLedger } from '../../../world/commits/judge-new-commits.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { parseWholeNumber, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { recordFilterIn } from './record-filter-in.ts'
import { progressInTenths, warnIncomplete } from './record-options.ts'

/** `kotef trace`: the ledger's records, oldest first. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const commit = textOption(call, 'commit')
  if (commit !== null) return (await import('./commit.ts')).traceCommit(workspace, call, commit)
  const wanted = await recordFilterIn(workspace, call)
  const limit = call.options['limit'] === undefined ? null : parseWholeNumber(call.options['limit'], '--limit')
  const { behind } = await catchUpLedger(workspace)
  const read = { wanted, limit: limit && limit + RECORDS_BEFORE, progress: progressInTenths(call) }
  const { records: all, older, problems } = await queryLedger(workspace, read)
  const records = limit === null ? all : all.slice(Math.max(0, all.length - limit))
  warnIncomplete({ problems, behind }, call)
  if (call.options['follow']) return followRecords(workspace, call, { records, wanted })
  if (call.options['json']) return { text: '', json: records }
  const claims = authorshipClaims(all)
  const items = withCommits(all, await commitsBesideRecords(workspace, { records: all, wanted }))
  const { newest, cut } = newestItems(items, { limit, older })
  const inDays = dayLister(workspace.clock.now())
  const width = kindWidth(newest.map(it => ('commit' in it ? 'commit' : recordKind(it.record))))
  const linesOf = (it: TraceItem): string[] =>
    'commit' in it
      ? inDays(it.commit.committed, committedLine(it.commit, width))
      : inDays(it.record.timestamp, recordLine(it.record, { claim: claims.get(it.record.id), width }))
  const lines = [...(cut === null ? [] : [cut]), ...newest.flatMap(linesOf)]
  return { text: lines.join('\n') || 'No record matches.', json: records, forReading: 'list' }
}

// Records from before the list show which commits are older than it.
const RECORDS_BEFORE = 20

type RecordList = { readonly records: readonly TraceRecord[]; readonly wanted: RecordFilter }

// No record of the ledger says that a commit was made, and most records are about what became one.
async function commitsBesideRecords({ git }: Workspace, { records, wanted }: RecordList): Promise<LoggedCommit[]> {
  const [first] = records
  if (!first || wanted.session !== undefined) return []
  const since = Date.parse(first.timestamp)
  const found = await git.tryAsk(commitLog({ since, intent: wanted.intent, path: wanted.file }))
  const isWanted = ({ committed, intents }: LoggedCommit): boolean =>
    // Git knows the second only.
    Date.parse(committed) >= Math.floor(since / 1000) * 1000 &&
    (wanted.intent === undefined || intents.includes(wanted.intent))
  return (found ?? []).filter(isWanted).reverse()
}

async function followRecords(
  workspace: Workspace,
  { options, print }: VerbCall,
  { records, wanted }: RecordList,
): Promise<null> {
  const inDays = dayLister(workspace.clock.now())
  const width = kindWidth(records.map(recordKind))
  const printRecord = (it: TraceRecord): void =>
    (options['json'] ? [JSON.stringify(it)] : inDays(it.timestamp, recordLine(it, { width }))).forEach(line =>
      print(line),
    )
  records.forEach(printRecord)
  const { askDaemon } = await import('../../../world/io/daemon-client/ask-daemon.ts')
  const answers = await askDaemon(workspace, { ask: 'events' })
  if (!answers)
    throw new KotefError('daemon-not-running', 'No daemon is running, so there are no new records to follow.')
  for await (const answer of answers)
    if (matchesFilter(answer as TraceRecord, wanted)) printRecord(answer as TraceRecord)
  return null
}
