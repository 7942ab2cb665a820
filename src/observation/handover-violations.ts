import { handoverAgent, sessionOfPath } from '../handover/agents.ts'
import type { HandoverChange } from '../handover/check-change.ts'
import { CONTRACT_FILES } from '../handover/handover-session.ts'
import { newHandoverProblems } from '../handover-sessions/judge-changes.ts'
import { readHandoverFiles } from '../handover-sessions/session-folder.ts'
import type { RecordDraft, TraceRecord } from '../ledger/record.ts'
import { parseSessionUrl } from '../ledger/session-url.ts'
import { handoverProblemLine } from '../report/handover-lines.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { bytesBefore } from './bytes-before.ts'
import type { RecorderContext } from './recorder-context.ts'
import type { Change } from './write-records.ts'

type Recorded = { readonly changes: readonly Change[]; readonly records: readonly TraceRecord[] }

/** An event for each rule of the handover contract that recorded writes of sessions broke. */
export async function handoverViolations(context: RecorderContext, recorded: Recorded): Promise<RecordDraft[]> {
  const writes = recorded.changes.flatMap(({ from, to }) => (from ? [from, to] : [to]))
  const names = new Set(writes.flatMap(it => sessionOfPath(it.path)?.session ?? []))
  const drafts: RecordDraft[] = []
  for (const name of names) drafts.push(...(await violationsOf(context, { name, writes, records: recorded.records })))
  return drafts
}

type SessionWrites = {
  readonly name: string
  readonly writes: readonly Change['to'][]
  readonly records: readonly TraceRecord[]
}

async function violationsOf(
  context: RecorderContext,
  { name, writes, records }: SessionWrites,
): Promise<RecordDraft[]> {
  const after = await readHandoverFiles(context.workspace, name)
  const before = new Map(after.texts)
  const own = writes.filter(it => sessionOfPath(it.path)?.session === name)
  for (const write of own) await setBefore(context, before, write)
  const record = records.find(it => it.files.some(({ path }) => own.some(write => write.path === path)))
  const change: HandoverChange = {
    before: before.size === 0 ? null : { name, texts: before },
    after: after.texts.size === 0 ? null : after,
    role: await roleIn(context, record),
  }
  const problems = newHandoverProblems(change)
  // A new session is written file by file.
  const told = change.before ? problems : problems.filter(it => it.rule !== 'handover-missing')
  return told.map(it => {
    const message = handoverProblemLine(it)
    const at = record ? { record: record.id } : {}
    return { event: { event: 'violation', rule: it.rule, path: it.file, intent: null, message, ...at } }
  })
}

async function setBefore(context: RecorderContext, texts: Map<string, string>, write: Change['to']): Promise<void> {
  const { file = '' } = sessionOfPath(write.path) ?? {}
  if (!CONTRACT_FILES.includes(file)) return void texts.set(file, write.before?.oid ?? 'none')
  const found = write.before && (await bytesBefore(context, { path: write.path, oid: write.before.oid }, null))
  if (found) texts.set(file, found.bytes.toString('utf8'))
  else texts.delete(file)
}

async function roleIn({ workspace }: RecorderContext, record: TraceRecord | undefined) {
  const urls = record?.files.flatMap(it => it.conversations.map(({ url }) => parseSessionUrl(url))) ?? []
  const session = (await liveSessions(workspace)).find(it => urls.includes(it.id))
  return handoverAgent(session?.handover?.role)
}
