import { join } from 'node:path'
import { owningIntent } from '../attribution/author.ts'
import { readFileState } from '../io/files/file-state.ts'
import { claimableRecord, type AuthorshipClaim } from '../ledger/authorship-claims.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { judgePath } from '../scope/judge-path.ts'
import { queryLedger } from '../ledger-store/query-ledger.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { appendRecords } from '../ledger-store/append-records.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** An agent says that it has just written a path, and had not said so before. */
export type UnannouncedWrite = Omit<AuthorshipClaim, 'intent'> & {
  readonly path: string
  /** The blob oid of what it found there (null: nothing); undefined when it does not say. */
  readonly before: string | null | undefined
}

/** Tells that the newest write of a path is an agent's, if it is recorded as nobody's else; answers what was told. */
export async function claimRecordedWrite(
  workspace: Workspace,
  { before, ...claim }: UnannouncedWrite,
): Promise<TraceRecord[]> {
  const { path, session } = claim
  const since = workspace.clock.now() - CLAIM_WITHIN_MS
  const { records } = await queryLedger(workspace, { wanted: { file: path, since }, limit: null })
  const file = await readFileState(join(workspace.root, path))
  if (file && 'unseen' in file) return []
  const id = claimableRecord(records, { path, before, after: file?.oid ?? null })
  if (id === null) return []
  const intent = await claimedIntent(workspace, { session, path })
  return appendRecords(workspace, [{ event: { event: 'claimed', ...claim, intent, records: [id] } }])
}

// Who writes what stands there already changes nothing: the newest record is then an older write, by somebody else.
const CLAIM_WITHIN_MS = 10_000

async function claimedIntent(workspace: Workspace, { session, path }: Pick<UnannouncedWrite, 'session' | 'path'>) {
  const sessions = await liveSessions(workspace)
  const own = sessions.find(it => it.id === session)
  const policy = own ? null : await loadPolicy(workspace).catch(() => null)
  if (!policy) return own?.intent ?? null
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  return owningIntent(sessions, it => judge(scopes.get(it) ?? [], path).kind === 'owned')
}
