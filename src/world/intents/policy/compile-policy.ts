import { join } from 'node:path'
import { gather } from '../../io/git/gather.ts'
import { withLock } from '../../io/files/lock.ts'
import { ALWAYS_COMMITTABLE } from '../../../core/base/governance-files.ts'
import {
  COMPILED_POLICY_VERSION,
  compiledPolicyText,
  type CompiledPolicy,
  type LiveSession,
  policyInHead,
  sourceLinkName,
  sourcesStamp,
} from '../../../core/intents/scope/compiled-policy.ts'
import { VERSION } from '../../io/files/package.ts'
import { type PolicyFiles, policyFiles, policySourcePaths } from './current-policy.ts'
import { readPolicySources } from './load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import {
  closedBecause,
  type ClosedFastPath,
  compiledHead,
  fastPathIntent,
  type FastPathIntent,
} from './fast-path-intent.ts'
import { pendingMark } from '../../ledger/close-fast-path.ts'
import { COMMANDS_FORBIDDEN, layoutOf, ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import { printable } from '../../../core/base/printable.ts'
import { forbidsCommands } from '../../../core/intents/contract/enforced-constraints.ts'
import { fastPathText, insidePathspec } from '../../../core/intents/scope/fast-path-file.ts'
import { constrainedGlobs, scopeAttributes, untranslatablePattern } from '../../../core/intents/scope/attributes.ts'
import { judgePath } from '../../../core/intents/scope/judge-path.ts'
import type { Session } from '../../../core/intents/session.ts'
import type { PolicyIntent } from '../../../core/intents/scope/policy.ts'
import { callPolicyOf, policyIntent, type PolicySources } from '../../../core/rules/policy-of-sources.ts'
import { readHead } from '../../io/worktree/head.ts'
import { commitRegistryCommand } from '../../../core/rules/hints.ts'

/**
 * Compiles the policy of this worktree for the git hooks: all of it as JSON, and the scope of the only live intent, or
 * else of the branch's own, as git attributes, if git matches every tracked path as kotef does. Without that file Node
 * judges every commit. True when the fast path is open. A caller that has read the sources already gives them.
 */
export function compilePolicy(workspace: Workspace, read: PolicyReading | null = null): Promise<boolean> {
  return withLock(ownPath(workspace, 'compile.lock'), () => compileUnderLock(workspace, read))
}

/** The policy's files, null where one can't be read, and what follows from them. */
type PolicyReading = { readonly files: PolicyFiles | null; readonly sources: PolicySources }

async function compileUnderLock(workspace: Workspace, read: PolicyReading | null): Promise<boolean> {
  const { files } = workspace
  const { active, state } = compiledPaths(workspace)
  await files.privateFolder(layoutOf(workspace).compiled)
  for (const place of [active, state, pendingMark(workspace)]) await files.clear(place)
  const linked = await linkPolicyFiles(workspace)
  const { files: sourceFiles, sources } = read ?? (await readPolicy(workspace))
  const sessions = (await liveSessions(workspace)).map(it => liveSession(workspace, it))
  const compiled: CompiledPolicy = {
    version: COMPILED_POLICY_VERSION,
    kotef: VERSION,
    ...callPolicyOf(sources),
    sessions,
    head: await compiledHead(workspace, sessions),
    stamp: sourceFiles ? sourcesStamp(sourceFiles.contents, sourceFiles.inHead) : '',
  }
  const { policy } = compiled
  const forbids = [policy, ...policy.intents].some(it => forbidsCommands(it.constraints))
  const mark = join(layoutOf(workspace).compiled, COMMANDS_FORBIDDEN)
  await (forbids ? files.put(mark, '') : files.clear(mark))
  await files.put(state, compiledPolicyText(compiled))
  const trialsIn = layoutOf(workspace).compiled
  const path = linked ? await fastPathOf(workspace, { ...compiled, ...sources, trialsIn }) : null
  if (path && 'closed' in path && path.pending) await files.put(pendingMark(workspace), '')
  if (!path || 'closed' in path) return false
  await files.put(`${active}.new`, path.text)
  // A source that is replaced from here on is another file than its link. One that is edited in place shows only by its
  // time, so none may have changed before the compiled file's time.
  if (!sourceFiles || !(await isUnchanged(workspace, sourceFiles, sources))) return false
  await files.move(`${active}.new`, active)
  return true
}

async function readPolicy(workspace: Workspace): Promise<PolicyReading> {
  const read = await gather(workspace, policyFiles({ root: workspace.root, inHead: null }))
  return { files: read, sources: await readPolicySources(workspace, read?.contents) }
}

// Git is asked only where HEAD has moved.
async function isUnchanged(
  workspace: Workspace,
  { contents, inHead }: PolicyFiles,
  { headOid }: PolicySources,
): Promise<boolean> {
  const now = await gather(workspace, policyFiles({ root: workspace.root, inHead }))
  if (!now || sourcesStamp(now.contents, inHead) !== sourcesStamp(contents, inHead)) return false
  return (await readHead(workspace)) === headOid || (await workspace.git.tryAsk(policyInHead)) === inHead
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

// Reading files takes the shell too long; with a hard link it compares that a source is the compiled file. A link that
// is right stays, because a new one changes a time of the file that git's index has.
async function linkPolicyFiles(workspace: Workspace): Promise<boolean> {
  const { root, files } = workspace
  const { compiled } = layoutOf(workspace)
  const sources = await gather(workspace, policySourcePaths(root))
  const names = sources.map((_, n) => sourceLinkName(n))
  const others = (await files.list(compiled)).filter(it => it.startsWith('source-') && !names.includes(it))
  await Promise.all(others.map(it => files.clear(join(compiled, it))))
  let isNew = false
  const linked = sources.map(async (path, n) => {
    const [source, link] = [join(root, path), join(compiled, sourceLinkName(n))]
    // The reader of a source that the disk refuses says what is wrong with it, so this does not.
    const [found, known] = await Promise.all([files.stat(source).catch(() => undefined), files.stat(link)])
    if (found === undefined) return false
    if (found?.isFile && found.identity === known?.identity) return true
    await files.clear(link)
    if ((await files.modifiedAt(source)) === null) return true
    isNew = true
    return files.link(source, link)
  })
  const isLinked = (await Promise.all(linked)).every(Boolean)
  if (isNew) await refreshIndex(workspace)
  return isLinked
}

// Without it, scripts that ask `git diff-index` take these files for changed until the next `git status`. While git
// itself holds the index, the next command that links does it.
async function refreshIndex({ git }: Workspace): Promise<void> {
  await git.tryAsk({ args: ['update-index', '-q', '--refresh'], parse: () => null })
}

/** The text of the file that the hooks' fast path reads, or the reason why there is none and a way to get one. */
type FastPath = { readonly text: string } | ClosedFastPath

/** The sources of a fast path. A file for git's trial is written into the folder `trialsIn`, and removed. */
type FastPathSources = Pick<CompiledPolicy, 'policy' | 'sessions'> &
  Pick<PolicySources, 'intents'> & { readonly trialsIn: string }

/** The scope of the intent of the fast path in the form for the hooks' shell, if git matches paths as kotef does. */
export async function fastPathOf(workspace: Workspace, sources: FastPathSources): Promise<FastPath> {
  const found = await fastPathIntent(workspace, sources)
  return 'closed' in found ? found : translateScope(workspace, sources, found)
}

async function translateScope(
  workspace: Workspace,
  { policy, intents, trialsIn }: FastPathSources,
  { intent, head }: FastPathIntent,
): Promise<FastPath> {
  const { id, isUncommitted = false, isReopened = false } = intent
  if (isUncommitted || isReopened) {
    const command = commitRegistryCommand(`add ${id}`, { isTeam: policy.isTeam ?? false })
    return closedBecause(
      `${id} is not ${isUncommitted ? 'committed' : 'open in HEAD'}`,
      `Commit the registry: \`${command}\``,
    )
  }
  const scope = constrainedGlobs(intent)
  const attributes = scopeAttributes(scope, policy)
  if (!attributes) {
    const unlikePattern = untranslatablePattern(scope, policy)
    return closedBecause(
      unlikePattern === null
        ? `${id} owns nothing`
        : `git may match the pattern ${printable(unlikePattern)} in another way`,
    )
  }
  if (!isScopeCommitted(intents, intent))
    return closedBecause(`the scope of ${id} is edited, and not committed`, COMMIT_SCOPE_HINT)
  const mark = workspace.clock.uuid()
  const text = fastPathText({ root: workspace.root, intent: id, head, mark, attributes })
  if (text === null) return closedBecause('the path of this worktree has a newline or a backslash in it')
  // Git's and kotef's matches are compared over every tracked path.
  const judge = judgePath(policy)
  const matchedByGit = await trackedPathsInScope(workspace, { mark, text, trialsIn })
  const mismatch = matchedByGit.find(it => !ALWAYS_COMMITTABLE.includes(it) && judge(intent, it).kind !== 'owned')
  return mismatch === undefined
    ? { text }
    : closedBecause(`git matches the scope of ${id} in another way for ${printable(mismatch)}`)
}

const COMMIT_SCOPE_HINT = "Commit it: `git commit .orchestration -m 'a new scope' -m 'Governance: why'`"

// With an uncommitted edit of the scope, HEAD and the worktree differ, and the fast path knows only one scope.
function isScopeCommitted(intents: PolicySources['intents'], intent: PolicyIntent): boolean {
  const found = intents.find(it => it.id === intent.id)
  return found !== undefined && scopeText(policyIntent(found)) === scopeText(intent)
}

function scopeText({ owned_scope, constraints }: PolicyIntent): string {
  return JSON.stringify([owned_scope, constraints])
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
