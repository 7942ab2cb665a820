import { join } from 'node:path'
import { owningIntent } from '../../../core/authorship/author.ts'
import { handoverRole, sessionOfPath } from '../../../core/handover/port.ts'
import type { Session } from '../../../core/intents/session.ts'
import { readFileState } from '../../io/files/file-state.ts'
import { claimableRecord, type AgentsClaim } from '../../../core/ledger/authorship-claims.ts'
import type { RecordDraft, TraceRecord } from '../../../core/ledger/record.ts'
import { brokenRule } from '../../../core/intents/scope/broken-rule.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import { queryLedger } from '../../ledger/query-ledger.ts'
import { loadPolicy } from '../../intents/policy/load-policy.ts'
import { appendRecords } from '../../ledger/append-records.ts'
import { liveSessions } from '../../intents/sessions/live-sessions.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { LATE_CLAIM_MS_MAX } from '../../../core/base/thresholds.ts'

/** A write that an agent reports after it, without having opened a window before. */
export type UnannouncedWrite = Omit<AgentsClaim, 'intent' | 'handover'> & {
  readonly path: string
  /** The blob oid of the file before the write, null for no file; undefined when the agent does not report it. */
  readonly before: string | null | undefined
  /** The blob oid of the content that the agent wrote; undefined when the agent does not report it. */
  readonly after: string | undefined
}

/** Records that the newest write of a path is an agent's, unless it has an author already. Returns the new records. */
export async function claimRecordedWrite(
  workspace: Workspace,
  { before, after, ...claim }: UnannouncedWrite,
): Promise<TraceRecord[]> {
  const { path, session } = claim
  const since = workspace.clock.now() - LATE_CLAIM_MS_MAX
  const { records } = await queryLedger(workspace, { wanted: { file: path, since }, limit: null })
  const file = await readFileState(join(workspace.root, path))
  if (file && 'unread' in file) return []
  const id = claimableRecord(records, { session, path, before, after, current: file?.oid ?? null })
  if (id === null) return []
  const sessions = await liveSessions(workspace)
  const handover = handoverRole(sessions.find(it => it.id === session)?.handover)
  const intent = await claimedIntent(workspace, sessions, { session, path })
  const event = { event: 'claimed', ...claim, intent, records: [id], ...(handover && { handover }) } as const
  const written = records.find(it => it.id === id)?.metadata['dev.kotef']
  const wasPersons = written?.event === 'write' && written.attribution === 'person'
  const broken = wasPersons
    ? await violationOf(workspace, { path, intent: intent ?? sessions[0]?.intent ?? null, record: id })
    : []
  return appendRecords(workspace, [{ event }, ...broken])
}

/** The violation of a write that passed as a person's until an agent claimed it. */
async function violationOf(
  workspace: Workspace,
  { path, intent, record }: { readonly path: string; readonly intent: string | null; readonly record: string },
): Promise<RecordDraft[]> {
  const policy = await loadPolicy(workspace).catch(() => null)
  if (!policy || sessionOfPath(path)) return []
  const scope = policy.intents.find(it => it.id === intent) ?? []
  const broken = brokenRule(judgePath(policy)(scope, path), intent)
  if (!broken) return []
  const message = `${path} ${broken.why}`
  return [{ event: { event: 'violation', rule: broken.rule, path, intent, message, record } }]
}

async function claimedIntent(
  workspace: Workspace,
  sessions: readonly Session[],
  { session, path }: Pick<UnannouncedWrite, 'session' | 'path'>,
) {
  const own = sessions.find(it => it.id === session)
  const policy = own ? null : await loadPolicy(workspace).catch(() => null)
  if (!policy) return own?.intent ?? null
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  return owningIntent(sessions, it => judge(scopes.get(it) ?? [], path).kind === 'owned')
}
