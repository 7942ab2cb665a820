import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { withLock } from '../io/lock.ts'
import { activeText } from '../scope/active.ts'
import { judgePath } from '../scope/judge-path.ts'
import { type Pathspecs, pathspecsOf } from '../scope/pathspecs.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { RIDES } from '../scope/rides.ts'
import { linkOf, POLICY_FILES, policyInHead, type State, STATE_VERSION, stampOf } from '../scope/state.ts'
import { VERSION } from '../version.ts'
import { loadPolicy, loadRegistry } from './policy.ts'
import { liveSessions } from './sessions.ts'
import { placesOf, type Workspace } from './workspace.ts'

/**
 * Writes down for the git hooks what holds in this worktree now: everything as JSON, and, when one intent is live
 * whose scope git understands as we do, that scope as pathspecs. Without the latter every commit takes the long way.
 * True when the fast path is open.
 */
export function compile(workspace: Workspace): Promise<boolean> {
  return withLock(join(placesOf(workspace).own, 'compile.lock'), () => compileAlone(workspace))
}

async function compileAlone(workspace: Workspace): Promise<boolean> {
  const { files } = workspace
  const { active, state } = compiledPlaces(workspace)
  await files.remove(active)
  await files.privateFolder(placesOf(workspace).compiled)
  // Links and stamp come first: what changes while we read shows as a file, or a stamp, that does not fit.
  const linked = await linkSources(workspace)
  const stamp = await currentStamp(workspace)
  const policy = await loadPolicy(workspace)
  const sessions = (await liveSessions(workspace)).map(({ id, intent, kind, agent }) => ({ id, intent, kind, agent }))
  const compiled: State = { version: STATE_VERSION, kotef: VERSION, policy, sessions, stamp }
  await files.put(state, `${JSON.stringify(compiled)}\n`)
  const text = linked ? await fastPath(workspace, compiled) : null
  if (text === null) return false
  await files.put(`${active}.new`, text)
  // A file that was edited in place is known by its time alone, so nothing may have changed before this file's time.
  if ((await currentStamp(workspace)) !== stamp) return false
  await files.move(`${active}.new`, active)
  return true
}

/** Where the hooks of this worktree find what was compiled for them. */
function compiledPlaces(workspace: Workspace): { readonly active: string; readonly state: string } {
  const { compiled } = placesOf(workspace)
  return { active: join(compiled, 'active'), state: join(compiled, 'state.json') }
}

// The shell can't read what a file says in time, but it can see that it is the very file that was compiled.
async function linkSources({ root, gitDir, commonDir, files }: Workspace): Promise<boolean> {
  const { compiled } = placesOf({ root, gitDir, commonDir })
  const linked = POLICY_FILES.map(async (path, n) => {
    const link = join(compiled, linkOf(n))
    await files.remove(link)
    return (await files.modifiedAt(join(root, path))) === null || files.link(join(root, path), link)
  })
  return (await Promise.all(linked)).every(Boolean)
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
  if (!(await gitAgrees(workspace, { intent, policy, pathspecs }))) return null
  return activeText({ root: workspace.root, intent: intent.id, pathspecs })
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
