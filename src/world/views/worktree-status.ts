import { countUnsharedNotes } from '../provenance/sync-notes.ts'
import type { Session } from '../../core/intents/session.ts'
import type { SettingChange } from '../../core/git/setting-changes.ts'
import type { StatusReport } from '../../core/report/status-text.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { flushDaemon } from '../io/daemon-client/ask-daemon.ts'
import { judgeNewCommits } from '../commits/judge-new-commits.ts'
import { hooksProblem } from '../setup/hooks/detect-hooks.ts'
import { claimsElsewhere } from '../intents/sessions/other-clones.ts'
import { claimStandings } from '../intents/sessions/claims.ts'
import { loadConfig, loadPolicy } from '../intents/policy/load-policy.ts'
import { findConflicts } from '../code/conflicts/find-conflicts.ts'
import { stoppedRuns } from '../runs/stopped-runs.ts'
import { pendingRequests } from '../approvals/requests.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { nextCommit } from './next-commit.ts'
import {
  daemonStatus,
  dirtyPaths,
  existingPaths,
  openWork,
  pathsOutOfScope,
  watchedStatus,
} from './worktree-changes.ts'
import { findingsOfNextPush } from './push-findings.ts'
import { readHead, textsAtHead } from '../io/worktree/head.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import { readFirstRecord } from '../ledger/first-record.ts'
import { locateLedger, restoreLedger } from '../ledger/locate-ledger.ts'
import { ledgerExtent } from '../ledger/open-ledger.ts'
import { ledgerAlarm } from '../verify/ledger-standing.ts'
import { closedLedgerLine } from '../../core/report/closed-ledger.ts'
import { readChainHead } from '../ledger/append-records.ts'
import { liveSessions, readSessions } from '../intents/sessions/live-sessions.ts'
import { problemLine } from '../../core/report/finding-lines.ts'
import { readWindows } from '../recording/agent-activity/windows.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { PolicyIntent } from '../../core/intents/scope/policy.ts'
import { withLiveStatuses } from '../../core/intents/lifecycle.ts'
import { STATUS_FLUSH_WAIT_MS_MAX } from '../../core/base/thresholds.ts'

/** The current status of a worktree. `wanted` is the caller's session id; null for the oldest live session. */
export async function gatherStatus(workspace: Workspace, wanted: string | null): Promise<StatusReport> {
  const problems: string[] = []
  const addProblem = (thrown: unknown): null => {
    problems.push(toKotefError(thrown).message)
    return null
  }
  await restoreLedger(workspace)
  if (!(await flushDaemon(workspace, STATUS_FLUSH_WAIT_MS_MAX).catch(addProblem)))
    await judgeNewCommits(workspace).catch(addProblem)
  const policy = await loadPolicy(workspace).catch(addProblem)
  const unhooked = await hooksProblem(workspace).catch(addProblem)
  const sessions = await liveSessions(workspace)
  const damaged = (await readSessions(workspace)).problems.map(problemLine)
  const session = sessions.find(it => it.id === wanted) ?? sessions[0] ?? null
  const ledger = await ledgerStatus(workspace)
  const watched = await watchedStatus(workspace)
  const dirty = policy ? await dirtyPaths(workspace) : []
  problems.push(...damaged, ...ledger.problems, ...watched.settings.map(settingProblem))
  return {
    root: workspace.root,
    governed: policy !== null || (await hasRegistry(workspace)),
    unknown: policy === null ? 'the policy' : session === null && damaged.length > 0 ? 'a session' : null,
    head: await readHead(workspace),
    intent: liveStatusOf(policy?.intents.find(it => it.id === session?.intent) ?? null),
    session,
    commit: policy && (await nextCommit(workspace, { policy, sessions }).catch(addProblem)),
    sessions,
    running: await runningCommands(workspace).catch(() => []),
    claim: session ? await sessionClaim(workspace, session).catch(addProblem) : null,
    elsewhere:
      (await loadConfig(workspace)
        .then(it => claimsElsewhere(workspace, it))
        .catch(addProblem)) ?? [],
    daemon: await daemonStatus(workspace),
    ledger: ledger.status,
    untraced: (await existingPaths(workspace, watched.untraced)).sort(),
    outOfScope: policy ? pathsOutOfScope(policy, session, dirty) : [],
    work: policy && session === null ? openWork(policy, dirty) : [],
    unsharedNotes: await countUnsharedNotes(workspace),
    push: (policy && (await findingsOfNextPush(workspace).catch(addProblem))) ?? [],
    conflicts: (await findConflicts(workspace, {}).catch(addProblem)) ?? [],
    stopped: (await stoppedRuns(workspace).catch(addProblem)) ?? [],
    requests: (await pendingRequests(workspace).catch(addProblem)) ?? [],
    problems: [...new Set([...problems, ...(unhooked === null ? [] : [unhooked])])],
  }
}

async function runningCommands(workspace: Workspace): Promise<StatusReport['running']> {
  const open = (await readWindows(workspace)).filter(it => it.kind === 'exec' && it.closedAt === null)
  return open.map(({ agent, session, openedAt }) => ({ agent, session, since: new Date(openedAt).toISOString() }))
}

async function ledgerStatus(workspace: Workspace) {
  const head = await readChainHead(workspace)
  const findings = await ledgerAlarm(workspace).catch((thrown: unknown) => [toKotefError(thrown)])
  const first = await readFirstRecord(workspace).catch(() => null)
  const closed = closedLedgerLine(first, { folder: layoutOf(workspace).own, now: workspace.clock.now() })
  const { state } = await locateLedger(workspace)
  const extent = (await ledgerExtent(workspace).catch(() => null)) ?? NO_EXTENT
  const records = state === 'absent' ? 0 : (head?.seq ?? -1) + 1
  const status = { records, head: head?.hash ?? null, closed, extent }
  return { status, problems: findings.map(({ message, hint }) => `${message} ${hint}`) }
}

const NO_EXTENT = { bytes: 0, compressed: 0, onDisk: 0 }

// The intent of a live session is in progress while it is open.
function liveStatusOf(intent: PolicyIntent | null): PolicyIntent | null {
  return intent && (withLiveStatuses([intent], new Set([intent.id]))[0] ?? null)
}

async function hasRegistry(workspace: Workspace): Promise<boolean> {
  if ((await workspace.files.modifiedAt(layoutOf(workspace).registry).catch(() => 0)) !== null) return true
  const [committed] = await textsAtHead(workspace, [REGISTRY_PATH])
  return typeof committed === 'string'
}

async function sessionClaim(workspace: Workspace, { intent }: Session): Promise<StatusReport['claim']> {
  const claims = await claimStandings(workspace, await loadConfig(workspace))
  return claims.find(it => it.intent === intent) ?? null
}

function settingProblem({ message, undo }: SettingChange): string {
  return `${message}, which an agent may have changed. Put it back: \`${undo}\``
}
