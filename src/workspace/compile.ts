import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { withLock } from '../io/lock.ts'
import { activeText } from '../scope/active.ts'
import { judgePath } from '../scope/judge-path.ts'
import { type Pathspecs, pathspecsOf } from '../scope/pathspecs.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { RIDES } from '../scope/rides.ts'
import { POLICY_FILES, policyInHead, type State, STATE_VERSION, stampOf } from '../scope/state.ts'
import { loadPolicy, loadRegistry } from './policy.ts'
import { liveSessions } from './sessions.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Writes down for the git hooks what holds in this worktree now: everything as JSON, and, when one intent is live
 * whose scope git understands as we do, that scope as pathspecs. Without the latter every commit takes the long way.
 */
export function compile(workspace: Workspace): Promise<void> {
  return withLock(join(placesOf(workspace).own, 'compile.lock'), () => compileAlone(workspace))
}

async function compileAlone(workspace: Workspace): Promise<void> {
  const { active, state } = compiledPlaces(workspace)
  await workspace.files.remove(active)
  // The stamp comes first: what changes while we read shows as a stamp that does not fit.
  const stamp = await currentStamp(workspace)
  const policy = await loadPolicy(workspace)
  const sessions = (await liveSessions(workspace)).map(({ id, intent, kind, agent }) => ({ id, intent, kind, agent }))
  const compiled: State = { version: STATE_VERSION, policy, sessions, stamp }
  await workspace.files.put(state, `${JSON.stringify(compiled)}\n`)
  const text = await fastPath(workspace, compiled)
  if (text !== null) await workspace.files.put(active, text)
}

/** Where the hooks of this worktree find what was compiled for them. */
function compiledPlaces(workspace: Workspace): { readonly active: string; readonly state: string } {
  const { compiled } = placesOf(workspace)
  return { active: join(compiled, 'active'), state: join(compiled, 'state.json') }
}

async function currentStamp({ root, files, git }: Workspace): Promise<string> {
  const contents = await Promise.all(POLICY_FILES.map(it => files.read(join(root, it)).catch(() => null)))
  return stampOf(contents, (await git.tryAsk(policyInHead)) ?? '')
}

async function fastPath(workspace: Workspace, { policy, sessions }: State): Promise<string | null> {
  const [id, ...others] = new Set(sessions.map(it => it.intent))
  const intent = policy.intents.find(it => it.id === id)
  if (!intent || others.length > 0 || intent.status !== 'IN_PROGRESS') return null
  const pathspecs = pathspecsOf(intent.owned_scope, policy)
  if (!pathspecs || !(await isCommitted(workspace, intent))) return null
  return (await gitAgrees(workspace, { intent, policy, pathspecs })) ? activeText(intent.id, pathspecs) : null
}

// A scope that an uncommitted edit is about to change has two readings, and the fast path knows only one.
async function isCommitted(workspace: Workspace, { id, owned_scope }: PolicyIntent): Promise<boolean> {
  const { intents } = await loadRegistry(workspace)
  return JSON.stringify(intents.find(it => it.id === id)?.owned_scope) === JSON.stringify(owned_scope)
}

type Translation = { readonly intent: PolicyIntent; readonly policy: Policy; readonly pathspecs: Pathspecs }

/** Compares both readings of the scope over every tracked path. */
async function gitAgrees({ git }: Workspace, { intent, policy, pathspecs }: Translation): Promise<boolean> {
  const judge = judgePath(policy)
  const passes = new Set(await git.ask(trackedIn(pathspecs.inside)))
  if (pathspecs.bounds.length > 0) for (const path of await git.ask(trackedIn(pathspecs.bounds))) passes.delete(path)
  return [...passes].every(it => RIDES.includes(it) || judge(intent.owned_scope, it).kind === 'owned')
}

function trackedIn(pathspecs: readonly string[]): GitQuery<string[]> {
  return { args: ['ls-files', '-z', '--', ...pathspecs], parse: out => out.split('\0').slice(0, -1) }
}
