import { join } from 'node:path'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import { ALWAYS_COMMITTABLE } from '../paths/governance-files.ts'
import {
  COMPILED_POLICY_VERSION,
  compiledPolicyText,
  type CompiledPolicy,
  type LiveSession,
  sourceLinkName,
} from '../scope/compiled-policy.ts'
import { VERSION } from '../io/files/package.ts'
import { policySourcePaths, policyStamp } from './current-policy.ts'
import { loadAgentFreedom, loadConfig, loadPolicy, loadRegistry } from './load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import {
  closedBecause,
  type ClosedFastPath,
  compiledHead,
  fastPathIntent,
  type FastPathIntent,
} from './fast-path-intent.ts'
import { pendingMark } from '../ledger-store/close-fast-path.ts'
import { layoutOf, ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { GitQuery } from '../git/query.ts'
import { printable } from '../text/printable.ts'
import { fastPathText, insidePathspec } from '../scope/fast-path-file.ts'
import { scopeAttributes, untranslatablePattern } from '../scope/attributes.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { Session } from '../intents/session.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import { commitRegistryCommand } from '../rules/hints.ts'

/**
 * Compiles the policy of this worktree for the git hooks: all of it as JSON, and the scope of the only live intent, or
 * else of the branch's own, as git attributes, if git matches every tracked path as kotef does. Without that file Node
 * judges every commit. True when the fast path is open.
 */
export function compilePolicy(workspace: Workspace): Promise<boolean> {
  return withLock(ownPath(workspace, 'compile.lock'), () => compileUnderLock(workspace))
}

async function compileUnderLock(workspace: Workspace): Promise<boolean> {
  const { files } = workspace
  const { active, state } = compiledPaths(workspace)
  await files.privateFolder(layoutOf(workspace).compiled)
  for (const place of [active, state, pendingMark(workspace)]) await files.clear(place)
  // Links and stamp come first: a source that changes while it is read then has another file or another stamp.
  const linked = await linkPolicyFiles(workspace)
  const stampNow = () => gather(workspace, policyStamp({ root: workspace.root, inHead: null }))
  const stamp = await stampNow()
  const policy = await loadPolicy(workspace)
  const { opaque_commands: opaqueCommands, claims } = await loadConfig(workspace)
  const sessions = (await liveSessions(workspace)).map(it => liveSession(workspace, it))
  const judged = { policy, opaqueCommands, claims, freedom: await loadAgentFreedom(workspace) }
  const compiled: CompiledPolicy = {
    version: COMPILED_POLICY_VERSION,
    kotef: VERSION,
    ...judged,
    sessions,
    head: await compiledHead(workspace, sessions),
    stamp: stamp ?? '',
  }
  await files.put(state, compiledPolicyText(compiled))
  const trialsIn = layoutOf(workspace).compiled
  const path = linked ? await fastPathOf(workspace, { ...compiled, trialsIn }) : null
  if (path && 'closed' in path && path.pending) await files.put(pendingMark(workspace), '')
  if (!path || 'closed' in path) return false
  await files.put(`${active}.new`, path.text)
  // A file edited in place shows only by its time, so no source may have changed before the compiled file's time.
  if (stamp === null || (await stampNow()) !== stamp) return false
  await files.move(`${active}.new`, active)
  return true
}

// Only a process of this host can be looked up.
function liveSession({ clock }: Workspace, { id, intent, kind, agent, pid, host }: Session): LiveSession {
  return { id, intent, kind, agent, pid: host === clock.host ? pid : null }
}

/** Compiles again, after a commit, a fast path that was closed until then. */
export async function reopenFastPath(workspace: Workspace): Promise<void> {
  if ((await workspace.files.modifiedAt(pendingMark(workspace))) !== null) await compilePolicy(workspace)
}

/** The compiled files of this worktree. */
function compiledPaths(workspace: Workspace): { readonly active: string; readonly state: string } {
  const { compiled } = layoutOf(workspace)
  return { active: join(compiled, 'active'), state: join(compiled, 'state.json') }
}

// Reading files takes the shell too long; with a hard link it compares that a source is the compiled file.
async function linkPolicyFiles(workspace: Workspace): Promise<boolean> {
  const { root, files } = workspace
  const { compiled } = layoutOf(workspace)
  const links = (await files.list(compiled)).filter(it => it.startsWith('source-'))
  await Promise.all(links.map(it => files.clear(join(compiled, it))))
  const linked = (await gather(workspace, policySourcePaths(root))).map(async (path, n) => {
    const link = join(compiled, sourceLinkName(n))
    return (await files.modifiedAt(join(root, path))) === null || files.link(join(root, path), link)
  })
  return (await Promise.all(linked)).every(Boolean)
}

/** The text of the file that the hooks' fast path reads, or the reason why there is none and a way to get one. */
type FastPath = { readonly text: string } | ClosedFastPath

/** The sources of a fast path. A file for git's trial is written into the folder `trialsIn`, and removed. */
type FastPathSources = Pick<CompiledPolicy, 'policy' | 'sessions'> & { readonly trialsIn: string }

/** The scope of the intent of the fast path in the form for the hooks' shell, if git matches paths as kotef does. */
export async function fastPathOf(workspace: Workspace, sources: FastPathSources): Promise<FastPath> {
  const found = await fastPathIntent(workspace, sources)
  return 'closed' in found ? found : translateScope(workspace, sources, found)
}

async function translateScope(
  workspace: Workspace,
  { policy, trialsIn }: FastPathSources,
  { intent, head }: FastPathIntent,
): Promise<FastPath> {
  const { id, owned_scope, isUncommitted = false, isReopened = false } = intent
  if (isUncommitted || isReopened) {
    const command = commitRegistryCommand(`add ${id}`, { isTeam: policy.isTeam ?? false })
    return closedBecause(
      `${id} is not ${isUncommitted ? 'committed' : 'open in HEAD'}`,
      `Commit the registry: \`${command}\``,
    )
  }
  const attributes = scopeAttributes(owned_scope, policy)
  if (!attributes) {
    const unlikePattern = untranslatablePattern(owned_scope, policy)
    return closedBecause(
      unlikePattern === null
        ? `${id} owns nothing`
        : `git may match the pattern ${printable(unlikePattern)} in another way`,
    )
  }
  if (!(await isScopeCommitted(workspace, intent)))
    return closedBecause(`the scope of ${id} is edited, and not committed`, COMMIT_SCOPE_HINT)
  const mark = workspace.clock.uuid()
  const text = fastPathText({ root: workspace.root, intent: id, head, mark, attributes })
  if (text === null) return closedBecause('the path of this worktree has a newline or a backslash in it')
  // Git's and kotef's matches are compared over every tracked path.
  const judge = judgePath(policy)
  const matchedByGit = await trackedPathsInScope(workspace, { mark, text, trialsIn })
  const mismatch = matchedByGit.find(it => !ALWAYS_COMMITTABLE.includes(it) && judge(owned_scope, it).kind !== 'owned')
  return mismatch === undefined
    ? { text }
    : closedBecause(`git matches the scope of ${id} in another way for ${printable(mismatch)}`)
}

const COMMIT_SCOPE_HINT = "Commit it: `git commit .orchestration -m 'a new scope' -m 'Governance: why'`"

// With an uncommitted edit of the scope, HEAD and the worktree differ, and the fast path knows only one scope.
async function isScopeCommitted(workspace: Workspace, { id, owned_scope }: PolicyIntent): Promise<boolean> {
  const { intents } = await loadRegistry(workspace)
  return JSON.stringify(intents.find(it => it.id === id)?.owned_scope) === JSON.stringify(owned_scope)
}

async function trackedPathsInScope(
  { git, files }: Workspace,
  { mark, text, trialsIn }: AttributesTrial,
): Promise<string[]> {
  const trial = join(trialsIn, `kotef-trial-${mark}`)
  await files.put(trial, text)
  return git.ask(trackedPathsByAttributes(trial, mark)).finally(() => files.remove(trial))
}

type AttributesTrial = { readonly mark: string; readonly text: string; readonly trialsIn: string }

function trackedPathsByAttributes(attributes: string, mark: string): GitQuery<string[]> {
  const settings = ['-c', `core.attributesFile=${attributes}`, '-c', 'core.ignoreCase=false']
  return {
    args: [...settings, 'ls-files', '-z', '--', insidePathspec({ mark })],
    parse: out => out.split('\0').slice(0, -1),
  }
}
