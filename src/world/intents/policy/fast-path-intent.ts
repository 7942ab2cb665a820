import { join } from 'node:path'
import { gather } from '../../io/git/gather.ts'
import { gitStatus } from '../../../core/git/status.ts'
import { isOpen } from '../../../core/intents/lifecycle.ts'
import { sessionIntents } from '../../../core/intents/session.ts'
import { LEDGER_END_BYTES, writtenForOthers } from '../../../core/ledger/written-intents.ts'
import { writtenOutOfRole } from '../../../core/ledger/written-roles.ts'
import type { CompiledPolicy } from '../../../core/intents/scope/compiled-policy.ts'
import { ANY_HEAD, branchLine } from '../../../core/intents/scope/fast-path-file.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import type { PolicyIntent } from '../../../core/intents/scope/policy.ts'
import { currentBranch, intentStartedOn } from '../sessions/branch-intent.ts'
import { printable } from '../../../core/base/printable.ts'
import { locateLedger } from '../../ledger/locate-ledger.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** Why there is no fast path, and a way to get one. It is `pending` until certain lines are committed. */
export type ClosedFastPath = { readonly closed: string; readonly fix: string | null; readonly pending?: boolean }

/** The intent that commits on the fast path are for, and the branch for which it is so. */
export type FastPathIntent = { readonly intent: PolicyIntent; readonly head: string }

type FastPathSources = Pick<CompiledPolicy, 'policy' | 'sessions'>

/**
 * The intent that the hooks' shell may stamp a commit with: that of all live sessions or, without any, that which was
 * started last on the branch. In full the ledger is asked first, so no line in its scope may wait that is for another.
 */
export async function fastPathIntent(
  workspace: Workspace,
  { policy, sessions }: FastPathSources,
): Promise<FastPathIntent | ClosedFastPath> {
  if (policy.isAnchored) return closedBecause('each commit carries the head of the ledger (`anchor: trailer`)')
  const [live, ...others] = sessionIntents(sessions).sort()
  if (others.length > 0) return closedBecause(`several intents are started here: ${[live, ...others].join(', ')}`)
  const head = await compiledHead(workspace, sessions)
  const id = live ?? (head === '' ? null : await intentOfBranch(workspace))
  if (id === null) return closedBecause('no intent is started here', START_HINT)
  const intent = policy.intents.find(it => it.id === id)
  if (!intent) return closedBecause(`intent ${id} is not in the registry`, 'See which are: `kotef intent list`')
  if (!isOpen(intent.status)) return closedBecause(`${id} is ${intent.status}`)
  if (intent.keepsBehaviour) return closedBecause(`${id} is for refactorings alone, so each change is classified`)
  return (await closedByPendingLines(workspace, policy, intent)) ?? { intent, head }
}

const START_HINT = 'Start one: `kotef intent start <id>`'

/** A fast path that is closed, with the reason. */
export function closedBecause(why: string, fix: string | null = null): ClosedFastPath {
  return { closed: why, fix }
}

async function intentOfBranch(workspace: Workspace): Promise<string | null> {
  const branch = await gather(workspace, currentBranch(workspace))
  return branch === null ? null : gather(workspace, intentStartedOn(workspace, branch))
}

/** The branch for which the policy is compiled: with a live session it is the same for each. */
export async function compiledHead(
  { files, gitDir }: Workspace,
  sessions: FastPathSources['sessions'],
): Promise<string> {
  if (sessions.length > 0) return ANY_HEAD
  return branchLine((await files.read(join(gitDir, 'HEAD')))?.toString('utf8') ?? null)
}

async function closedByPendingLines(
  workspace: Workspace,
  policy: CompiledPolicy['policy'],
  intent: PolicyIntent,
): Promise<ClosedFastPath | null> {
  const end = await workspace.files.readEnd((await locateLedger(workspace)).path, LEDGER_END_BYTES)
  const text = end?.bytes.toString('utf8') ?? ''
  const judge = judgePath(policy)
  const ofRoles = writtenOutOfRole(text).map(([path, role]) => [path, `of a ${role}`] as const)
  const others = [...writtenForOthers(text, intent.id)].map(([path, intent]) => [path, `for ${intent}`] as const)
  const owned = [...others, ...ofRoles].filter(([path]) => judge(intent, path).kind === 'owned')
  if (owned.length === 0) return null
  const changed = new Set((await workspace.git.ask(gitStatus)).map(it => it.path))
  const [path, whose] = owned.find(([it]) => changed.has(it)) ?? []
  if (path === undefined) return null
  return { ...closedBecause(`${printable(path)} has lines ${whose} that are not committed`), pending: true }
}
