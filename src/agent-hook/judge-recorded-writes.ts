import type { Reply } from '../agents/adapter.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { handoverRole } from '../handover/agents.ts'
import { denialText } from '../gate/denial.ts'
import { judgeTarget } from '../gate/judge-target.ts'
import { alreadyWritten, type Reason } from '../gate/reasons.ts'
import { parseSessionUrl } from '../ledger/session-url.ts'
import { judgePath } from '../scope/judge-path.ts'
import { policyForAgents } from '../scope/policy.ts'
import { queryLedger } from '../ledger-store/query-ledger.ts'
import { noteVersions } from '../agent-activity/file-versions.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { type LightWorktree, loadCallPolicy, sessionSelection } from './governed-worktree.ts'

type SessionWindow = { readonly session: string; readonly window: ToolWindow }

/**
 * Judges the recorded writes of a session within a window, and denies with those that it may not write. The session
 * has to read each written file again before it edits it.
 */
export async function judgeRecordedWrites(worktree: LightWorktree, { session, window }: SessionWindow): Promise<Reply> {
  const paths = await recordedPaths(worktree, { session, window })
  const forgotten = paths.map(it => [it, undefined] as const)
  await noteVersions(worktree, session, forgotten)
  const { policy } = await loadCallPolicy(worktree)
  const { intent, session: live } = await sessionSelection(worktree, session, policy)
  if (!intent || paths.length === 0) return { kind: 'silence' }
  const authority = {
    intent,
    judge: judgePath(policyForAgents(policy)),
    knownOids: new Map<string, string | null>(),
    role: handoverRole(live?.handover),
  }
  const reasons = paths.flatMap((path): Reason[] =>
    judgeTarget({ spelling: path, locations: [{ kind: 'inside', path }], currentOid: null }, authority),
  )
  return reasons.length === 0 ? { kind: 'silence' } : { kind: 'deny', text: denialText(reasons.map(alreadyWritten)) }
}

async function recordedPaths({ root }: LightWorktree, { session, window }: SessionWindow): Promise<string[]> {
  const since = Math.floor(window.openedAt)
  const { records } = await queryLedger(await openWorkspace(root), { wanted: { session, since }, limit: null })
  const files = records.flatMap(it => (it.metadata['dev.kotef'].event === 'write' ? it.files : []))
  const own = files.filter(it => it.conversations.some(({ url }) => parseSessionUrl(url) === session))
  return [...new Set(own.flatMap(({ path, kotef: { from } }) => (from === undefined ? [path] : [from, path])))]
}
