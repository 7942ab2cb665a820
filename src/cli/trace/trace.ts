import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { authorshipClaims } from '../../ledger/authorship-claims.ts'
import { matchesFilter, type RecordFilter } from '../../ledger/record-filter.ts'
import type { TraceRecord } from '../../ledger/record.ts'
import { KotefError } from '../../findings/failure.ts'
import { plural } from '../../text/printable.ts'
import { commitLog } from '../../git/log.ts'
import { committedLine, dayLister, recordLine } from '../../report/record-line.ts'
import { askDaemon } from '../../daemon-client/ask-daemon.ts'
import { queryLedger } from '../../ledger-store/query-ledger.ts'
import { catchUpLedger } from '../../commits/judge-new-commits.ts'
import { openWorkspace, type Workspace } from '../../worktree/workspace.ts'
import { parseWholeNumber, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { progressInTenths, recordFilterIn, warnIncomplete } from './record-options.ts'
import { recordsToCsv } from '../../ledger/csv.ts'
import { closedLedgerLine } from '../../report/closed-ledger.ts'
import { readFirstRecord } from '../../ledger-store/first-record.ts'
import { layoutOf } from '../../worktree/layout.ts'
import { findingLines } from '../../report/finding-lines.ts'
import { ledgerFindings } from '../../verify/ledger-findings.ts'
import { readAnchors } from '../../verify/read-anchors.ts'
import type { AgentTraceFault } from '../../ledger/agent-trace.ts'
import { systemErrorCode } from '../../io/files/files.ts'

/** `kotef trace`: the ledger's records, oldest first. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const commit = textOption(call, 'commit')
  if (commit !== null) return (await import('./commit.ts')).traceCommit(workspace, call, commit)
  const wanted = await recordFilterIn(workspace, call)
  const limit = call.options['limit'] === undefined ? null : parseWholeNumber(call.options['limit'], '--limit')
  const { behind } = await catchUpLedger(workspace)
  const { records, older, problems } = await queryLedger(workspace, { wanted, limit, progress: progressInTenths(call) })
  warnIncomplete({ problems, behind }, call)
  if (call.options['follow']) return followRecords(workspace, call, { records, wanted })
  const claims = authorshipClaims(records)
  const listed = [
    ...records.map(it => ({ at: Date.parse(it.timestamp), line: recordLine(it, claims.get(it.id)) })),
    ...(await commitsBesideRecords(workspace, { records, wanted })),
  ].sort((one, other) => one.at - other.at)
  const inDays = dayLister(workspace.clock.now())
  const lines = [
    ...(older > 0 ? [`… ${plural(older, 'older record')}`] : []),
    ...listed.flatMap(it => inDays(it.at, it.line)),
  ]
  return { text: lines.join('\n') || 'No record matches.', json: records, forReading: 'list' }
}

type RecordList = { readonly records: readonly TraceRecord[]; readonly wanted: RecordFilter }

// No record of the ledger says that a commit was made, and most records are about what became one.
async function commitsBesideRecords({ git }: Workspace, { records, wanted }: RecordList) {
  const [first] = records
  if (!first || wanted.session !== undefined) return []
  const since = Date.parse(first.timestamp)
  const found = await git.tryAsk(commitLog({ since, intent: wanted.intent, path: wanted.file }))
  return (found ?? [])
    .filter(({ intents }) => wanted.intent === undefined || intents.includes(wanted.intent))
    .map(it => ({ at: Date.parse(it.committed), line: committedLine(it) }))
    .filter(it => it.at >= since)
}

async function followRecords(
  workspace: Workspace,
  { options, print }: VerbCall,
  { records, wanted }: RecordList,
): Promise<null> {
  const inDays = dayLister(workspace.clock.now())
  const printRecord = (it: TraceRecord): void =>
    (options['json'] ? [JSON.stringify(it)] : inDays(it.timestamp, recordLine(it))).forEach(line => print(line))
  records.forEach(printRecord)
  const answers = await askDaemon(workspace, { ask: 'events' })
  if (!answers)
    throw new KotefError('daemon-not-running', 'No daemon is running, so there are no new records to follow.')
  for await (const answer of answers)
    if (matchesFilter(answer as TraceRecord, wanted)) printRecord(answer as TraceRecord)
  return null
}

const EXPORT_FORMATS = ['agent-trace', 'csv']

/** `kotef trace export`: prints the write records of the ledger in a format for other programs. */
export const exportRecords: RunVerb = async call => {
  const format = String(call.options['format'])
  if (!EXPORT_FORMATS.includes(format))
    throw new KotefError('usage', `--format is one of ${EXPORT_FORMATS.join(', ')}, not ${format}`)
  const workspace = await openWorkspace(call.cwd)
  const wanted = await recordFilterIn(workspace, call)
  const { behind } = await catchUpLedger(workspace)
  const { records, problems } = await queryLedger(workspace, { wanted, limit: null, progress: progressInTenths(call) })
  warnIncomplete({ problems, behind }, call)
  const written = records.filter(it => it.files.length > 0)
  const text = format === 'csv' ? recordsToCsv(written) : written.map(it => JSON.stringify(it)).join('\n')
  return { text, json: written }
}

/** `kotef trace verify`: checks that no record of the ledger was changed, removed or inserted. */
export const verifyLedger: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  await catchUpLedger(workspace)
  const { records, findings } = await ledgerFindings(workspace, await readAnchors(workspace))
  const blocking = findings.some(it => it.level === 'block')
  const recordCount = plural(records, 'record')
  const text =
    findings.length === 0 ? `Ledger OK: ${recordCount}.` : findingLines(`The ledger has ${recordCount}`, findings)
  const follows = { folder: layoutOf(workspace).own, now: workspace.clock.now() }
  const closed = closedLedgerLine(await readFirstRecord(workspace), follows)
  const json = { records, findings, ...(closed === null ? {} : { closed }) }
  return { text: closed === null ? text : `${text}\n${closed}`, json, exit: blocking ? 1 : 0 }
}

/** `kotef trace validate`: checks whether a file, made by any tool, is Agent Trace 0.1.0, and lists each fault. */
export const validateTrace: RunVerb = async ({ cwd, args }) => {
  const file = String(args[0])
  // The validator of schemas takes longer to load than a question to the ledger.
  const { validateAgentTrace } = await import('../../ledger/agent-trace.ts')
  const { records, faults } = validateAgentTrace(await readInput(cwd, file))
  const json = { file, records, faults }
  if (records === 0) return { text: `${file} has no record.`, json, exit: 1 }
  if (faults.length === 0) return { text: `${file} is Agent Trace 0.1.0: ${plural(records, 'record')}.`, json }
  const lines = faults.map(it => `${faultPosition(file, it)} ${it.message}`)
  return { text: [`${file} is not Agent Trace 0.1.0:`, ...lines].join('\n'), json, exit: 1 }
}

function faultPosition(file: string, { line, at }: AgentTraceFault): string {
  return `  ${file}${line === null ? '' : `:${line}`}: ${at || 'the whole record'}`
}

async function readInput(cwd: string, file: string): Promise<string> {
  if (file === '-') return textOf(process.stdin)
  return readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new KotefError('usage', `${file} can't be read (${systemErrorCode(cause) ?? String(cause)}).`, {
      hint: 'Name a file, or `-` for standard input: `kotef trace validate traces.jsonl`',
      cause,
    })
  })
}
