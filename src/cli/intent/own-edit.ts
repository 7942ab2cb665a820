import { recordApproval } from '../../approvals/approve-staged.ts'
import { readApprovals } from '../../approvals/read-approvals.ts'
import { readWindows } from '../../agent-activity/windows.ts'
import { agentVariable } from '../../agents/detect-agent.ts'
import type { PathChange } from '../../git/changes.ts'
import type { GitQuery } from '../../git/query.ts'
import { REGISTRY_PATH } from '../../paths/governance-files.ts'
import { isApproved } from '../../rules/approval.ts'
import { liveSessions } from '../../sessions/live-sessions.ts'
import { readHead } from '../../worktree/head.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import type { VerbCall } from '../verb.ts'

/**
 * Runs an edit of the registry. What a person edits at a terminal, while no agent runs a tool, is approved at once, so
 * that it can be committed beside an idle agent. All that differs from HEAD must be such edits.
 */
export async function approvingOwnEdit<T>(
  call: Pick<VerbCall, 'interactive' | 'env'>,
  workspace: Workspace,
  edit: () => Promise<T>,
): Promise<T> {
  const before = (await isByPerson(call, workspace)) ? await registryChange(workspace) : null
  const isOwn = before !== null && isPersons(workspace, before)
  const result = await edit()
  const after = isOwn ? await registryChange(workspace) : null
  // A tool call that began meanwhile can have written too.
  if (after && after.head === before?.head && !isPersons(workspace, after) && (await isByPerson(call, workspace)))
    await recordApproval(workspace, { head: after.head, changes: [after.change] })
  return result
}

async function isByPerson({ interactive, env }: Pick<VerbCall, 'interactive' | 'env'>, workspace: Workspace) {
  if (!interactive || agentVariable(env) !== null) return false
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent') return false
  return (await readWindows(workspace)).every(it => it.closedAt !== null)
}

type RegistryChange = { readonly head: string; readonly change: PathChange }

/** The registry's difference from HEAD; null where HEAD has no registry. */
async function registryChange(workspace: Workspace): Promise<RegistryChange | null> {
  const head = await readHead(workspace)
  const before = head === null ? null : await workspace.git.ask(registryEntry)
  const oid = await workspace.git.tryAsk(registryBlob)
  if (head === null || before === null || oid === null) return null
  return { head, change: { path: REGISTRY_PATH, before, after: { mode: before.mode, oid } } }
}

function isPersons(workspace: Workspace, { head, change }: RegistryChange): boolean {
  return change.before?.oid === change.after?.oid || isApproved(change, head, readApprovals(workspace))
}

const registryEntry: GitQuery<PathChange['before']> = {
  args: ['ls-tree', '--full-tree', 'HEAD', '--', REGISTRY_PATH],
  parse: out => {
    const [, mode, oid] = /^(\d+) blob ([\da-f]+)\t/.exec(out) ?? []
    return mode === undefined || oid === undefined ? null : { mode, oid }
  },
}

const registryBlob: GitQuery<string> = { args: ['hash-object', '--', REGISTRY_PATH], parse: out => out.trim() }
