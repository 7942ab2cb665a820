import { join } from 'node:path'
import { ownerAmong } from '../attribution/who.ts'
import { standingAt } from '../io/worktree.ts'
import { claimableIn, type Claim } from '../ledger/claims.ts'
import type { TraceRecord } from '../ledger/record.ts'
import { judgePath } from '../scope/judge-path.ts'
import { askLedger } from '../workspace/ask-ledger.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { record } from '../workspace/record.ts'
import { liveSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** An agent says that it has just written a path, and had not said so before. */
export type LateClaim = Omit<Claim, 'intent'> & {
  readonly path: string
  /** The blob oid of what it found there (null: nothing); undefined when it does not say. */
  readonly before: string | null | undefined
}

/** Tells that the newest write of a path is an agent's, if it is recorded as nobody's else; answers what was told. */
export async function claimLate(workspace: Workspace, { before, ...claim }: LateClaim): Promise<TraceRecord[]> {
  const { path, session } = claim
  const since = workspace.clock.now() - NEW_MS
  const { records } = await askLedger(workspace, { wanted: { file: path, since }, limit: null })
  const standing = await standingAt(join(workspace.root, path))
  if (standing && 'unseen' in standing) return []
  const id = claimableIn(records, { path, before, after: standing?.oid ?? null })
  if (id === null) return []
  const intent = await intentOf(workspace, { session, path })
  return record(workspace, [{ event: { event: 'claimed', ...claim, intent, records: [id] } }])
}

// Who writes what stands there already changes nothing: the newest record is then an older write, by somebody else.
const NEW_MS = 10_000

async function intentOf(workspace: Workspace, { session, path }: Pick<LateClaim, 'session' | 'path'>) {
  const sessions = await liveSessions(workspace)
  const own = sessions.find(it => it.id === session)
  const policy = own ? null : await loadPolicy(workspace).catch(() => null)
  if (!policy) return own?.intent ?? null
  const judge = judgePath(policy)
  const scopes = new Map(policy.intents.map(it => [it.id, it.owned_scope]))
  return ownerAmong(sessions, it => judge(scopes.get(it) ?? [], path).kind === 'owned')
}
