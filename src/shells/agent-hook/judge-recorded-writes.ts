import type { ToolWindow } from '../../core/authorship/tool-window.ts'
import { FILE_CLOCK_TICK_MS } from '../../core/base/thresholds.ts'
import { handoverRole } from '../../core/handover/port.ts'
import { judgeTarget, NOTHING_FREE } from '../../core/agents/gate/judge-target.ts'
import { alreadyWritten, type Reason } from '../../core/agents/gate/reasons.ts'
import { parseSessionUrl } from '../../core/ledger/session-url.ts'
import { judgePath } from '../../core/intents/scope/judge-path.ts'
import { policyForAgents } from '../../core/intents/scope/policy.ts'
import { queryLedger } from '../../world/ledger/query-ledger.ts'
import { noteVersions } from '../../world/recording/agent-activity/file-versions.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { type LightWorktree, loadCallPolicy, sessionSelection } from './governed-worktree.ts'

type SessionWindow = { readonly session: string; readonly window: ToolWindow }

/**
 * Why a session may not have written what is recorded of it within a window. The session
 * has to read each written file again before it edits it.
 */
export async function judgeRecordedWrites(
  worktree: LightWorktree,
  { session, window }: SessionWindow,
): Promise<Reason[]> {
  const paths = await recordedPaths(worktree, { session, window })
  const forgotten = paths.map(it => [it, undefined] as const)
  await noteVersions(worktree, session, forgotten)
  const { policy } = await loadCallPolicy(worktree)
  const { intent, session: live } = await sessionSelection(worktree, session, policy)
  if (!intent || paths.length === 0) return []
  const authority = {
    intent,
    judge: judgePath(policyForAgents(policy)),
    knownOids: new Map<string, string | null>(),
    role: handoverRole(live?.handover),
    ...NOTHING_FREE,
  }
  return paths.flatMap((path): Reason | [] => {
    const target = { spelling: path, locations: [{ kind: 'inside', path } as const], currentOid: null }
    const { reason } = judgeTarget(target, authority)
    return reason ? alreadyWritten(reason) : []
  })
}

async function recordedPaths({ root }: LightWorktree, { session, window }: SessionWindow): Promise<string[]> {
  // What was written before is recorded as the call begins, by the clock of programs, which is ahead of that of files.
  const since = Math.ceil(window.openedAt) + FILE_CLOCK_TICK_MS
  const { records } = await queryLedger(await openWorkspace(root), { wanted: { session, since }, limit: null })
  const files = records.flatMap(it => (it.metadata['dev.kotef'].event === 'write' ? it.files : []))
  const own = files.filter(it => it.conversations.some(({ url }) => parseSessionUrl(url) === session))
  return [...new Set(own.flatMap(({ path, kotef: { from } }) => (from === undefined ? [path] : [from, path])))]
}
