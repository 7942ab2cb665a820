import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { printable } from '../report/printable.ts'
import { activeText, insideOf } from '../scope/active.ts'
import { attributesOf, unlikeGit } from '../scope/attributes.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { PolicyIntent } from '../scope/policy.ts'
import { RIDES } from '../scope/rides.ts'
import type { State } from '../scope/state.ts'
import { loadRegistry } from './policy.ts'
import type { Workspace } from './workspace.ts'

/** What the hooks' fast path may read, or why every commit is judged in full, and the way out where there is one. */
export type FastPath = { readonly text: string } | Closed
export type Closed = { readonly closed: string; readonly fix: string | null }

/** What a fast path is made of; what git is to be tried with is written into `trialsIn`, and removed. */
export type Sources = Pick<State, 'policy' | 'sessions'> & { readonly trialsIn: string }

/** The scope of the one live intent as the hooks' shell reads it, when git understands it as we do. */
export async function fastPathOf(workspace: Workspace, { policy, sessions, trialsIn }: Sources): Promise<FastPath> {
  const [id, ...others] = [...new Set(sessions.map(it => it.intent))].sort()
  if (id === undefined) return closed('no intent is started here', 'Start one: `kotef intent start <id>`')
  if (others.length > 0) return closed(`several intents are in work here: ${[id, ...others].join(', ')}`)
  const intent = policy.intents.find(it => it.id === id)
  if (!intent) return closed(`intent ${id} is not in the registry`, 'See which are: `kotef intent list`')
  if (intent.status !== 'IN_PROGRESS')
    return closed(`${id} is ${intent.status}`, `Start it: \`kotef intent start ${id}\``)
  return translated(workspace, { policy, trialsIn }, intent)
}

async function translated(
  workspace: Workspace,
  { policy, trialsIn }: Omit<Sources, 'sessions'>,
  intent: PolicyIntent,
): Promise<FastPath> {
  const { id, owned_scope } = intent
  const attributes = attributesOf(owned_scope, policy)
  if (!attributes) {
    const odd = unlikeGit(owned_scope, policy)
    return closed(odd === null ? `${id} owns nothing` : `git may read the pattern ${printable(odd)} otherwise`)
  }
  if (!(await isCommitted(workspace, intent))) return closed(`the scope of ${id} is edited, and not committed`, COMMIT)
  const mark = workspace.clock.uuid()
  const text = activeText({ root: workspace.root, intent: id, mark, attributes })
  if (text === null) return closed('the path of this worktree has a newline or a backslash in it')
  // Both readings of the scope are compared over every tracked path.
  const judge = judgePath(policy)
  const passes = await trackedInside(workspace, { mark, text, trialsIn })
  const other = passes.find(it => !RIDES.includes(it) && judge(owned_scope, it).kind !== 'owned')
  return other === undefined ? { text } : closed(`git reads the scope of ${id} otherwise for ${printable(other)}`)
}

const COMMIT = "Commit it: `git commit .orchestration -m 'a new scope' -m 'Governance: why'`"

function closed(why: string, fix: string | null = null): Closed {
  return { closed: why, fix }
}

// A scope that an uncommitted edit is about to change has two readings, and the fast path knows only one.
async function isCommitted(workspace: Workspace, { id, owned_scope }: PolicyIntent): Promise<boolean> {
  const { intents } = await loadRegistry(workspace)
  return JSON.stringify(intents.find(it => it.id === id)?.owned_scope) === JSON.stringify(owned_scope)
}

async function trackedInside({ git, files }: Workspace, { mark, text, trialsIn }: Trial): Promise<string[]> {
  const trial = join(trialsIn, `kotef-trial-${mark}`)
  await files.put(trial, text)
  return git.ask(trackedBy(trial, mark)).finally(() => files.remove(trial))
}

type Trial = { readonly mark: string; readonly text: string; readonly trialsIn: string }

function trackedBy(attributes: string, mark: string): GitQuery<string[]> {
  const settings = ['-c', `core.attributesFile=${attributes}`, '-c', 'core.ignoreCase=false']
  return {
    args: [...settings, 'ls-files', '-z', '--', insideOf({ mark })],
    parse: out => out.split('\0').slice(0, -1),
  }
}
