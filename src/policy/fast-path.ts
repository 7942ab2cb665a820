import { join } from 'node:path'
import type { GitQuery } from '../git/query.ts'
import { printable } from '../text/printable.ts'
import { fastPathText, insidePathspec } from '../scope/fast-path-file.ts'
import { scopeAttributes, untranslatablePattern } from '../scope/attributes.ts'
import { judgePath } from '../scope/judge-path.ts'
import { sessionIntents } from '../intents/session.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import { ALWAYS_COMMITTABLE } from '../paths/governance-files.ts'
import type { CompiledPolicy } from '../scope/compiled-policy.ts'
import { loadRegistry } from './load-policy.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The text of the file that the hooks' fast path reads, or the reason why there is none and a way to get one. */
export type FastPath = { readonly text: string } | ClosedFastPath
export type ClosedFastPath = { readonly closed: string; readonly fix: string | null }

/** The sources of a fast path. A file for git's trial is written into the folder `trialsIn`, and removed. */
export type FastPathSources = Pick<CompiledPolicy, 'policy' | 'sessions'> & { readonly trialsIn: string }

/** The scope of the only live intent in the form for the hooks' shell, if git matches paths as kotef does. */
export async function fastPathOf(
  workspace: Workspace,
  { policy, sessions, trialsIn }: FastPathSources,
): Promise<FastPath> {
  const [id, ...others] = sessionIntents(sessions).sort()
  if (id === undefined) return closedBecause('no intent is started here', 'Start one: `kotef intent start <id>`')
  if (others.length > 0) return closedBecause(`several intents are started here: ${[id, ...others].join(', ')}`)
  const intent = policy.intents.find(it => it.id === id)
  if (!intent) return closedBecause(`intent ${id} is not in the registry`, 'See which are: `kotef intent list`')
  if (intent.status !== 'IN_PROGRESS')
    return closedBecause(`${id} is ${intent.status}`, `Start it: \`kotef intent start ${id}\``)
  return translateScope(workspace, { policy, trialsIn }, intent)
}

async function translateScope(
  workspace: Workspace,
  { policy, trialsIn }: Omit<FastPathSources, 'sessions'>,
  intent: PolicyIntent,
): Promise<FastPath> {
  const { id, owned_scope } = intent
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
  const text = fastPathText({ root: workspace.root, intent: id, mark, attributes })
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

function closedBecause(why: string, fix: string | null = null): ClosedFastPath {
  return { closed: why, fix }
}

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
