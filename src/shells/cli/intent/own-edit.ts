import { recordApproval } from '../../../world/approvals/approve-staged.ts'
import { gatherApprovals } from '../../../world/approvals/read-approvals.ts'
import { readWindows } from '../../../world/recording/agent-activity/windows.ts'
import type { PathChange } from '../../../core/git/changes.ts'
import { gather } from '../../../world/io/git/gather.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import type { PersonProof } from '../../../core/ledger/event.ts'
import { intentFilesIn, INTENTS_FOLDER, isRegistryPath, REGISTRY_PATH } from '../../../core/base/governance-files.ts'
import { isApproved } from '../../../core/rules/approval.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import { readHead } from '../../../world/io/worktree/head.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { answererOf } from '../person.ts'
import type { VerbCall } from '../verb.ts'

/**
 * Runs an edit of the registry. What a person edits at a terminal, while no agent runs a tool, is approved at once, so
 * that it can be committed beside an idle agent. All that differs from HEAD must be such edits.
 */
export async function approvingOwnEdit<T>(
  call: TerminalCall,
  workspace: Workspace,
  edit: () => Promise<T>,
): Promise<T> {
  const before = (await personAt(call, workspace)) === null ? null : await registryChanges(workspace)
  const isOwn = before !== null && (await arePersons(workspace, before))
  const result = await edit()
  const after = isOwn ? await registryChanges(workspace) : null
  // A tool call that began meanwhile can have written too.
  if (after === null || after.head !== before?.head || (await arePersons(workspace, after))) return result
  const person = await personAt(call, workspace)
  if (person !== null) await recordApproval(workspace, { ...after, person })
  return result
}

async function personAt(call: TerminalCall, workspace: Workspace): Promise<PersonProof | null> {
  if (!call.interactive) return null
  const answerer = await answererOf(call, workspace)
  if (answerer.who === 'agent' || (await readWindows(workspace)).some(it => it.closedAt === null)) return null
  return answerer.who === 'person' ? 'proved' : 'unproved'
}

type TerminalCall = Pick<VerbCall, 'interactive' | 'env'>

type RegistryChanges = { readonly head: string; readonly changes: readonly PathChange[] }

/** What differs from HEAD in the registry, its list and the intents' files; null where HEAD has no registry. */
async function registryChanges(workspace: Workspace): Promise<RegistryChanges | null> {
  const head = await readHead(workspace)
  const before = head === null ? null : await workspace.git.ask(registryAtHead)
  if (head === null || !before?.has(REGISTRY_PATH)) return null
  const after = await registryOnDisk(workspace)
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const changes = paths.map(path => {
    const old = before.get(path) ?? null
    const oid = after.get(path)
    return { path, before: old, after: oid === undefined ? null : { mode: old?.mode ?? '100644', oid } }
  })
  return { head, changes: changes.filter(it => it.before?.oid !== it.after?.oid) }
}

async function arePersons(workspace: Workspace, { head, changes }: RegistryChanges): Promise<boolean> {
  const approvals = await gather(workspace, gatherApprovals(workspace))
  return changes.every(it => isApproved(it, head, approvals))
}

const registryAtHead: GitQuery<Map<string, NonNullable<PathChange['before']>>> = {
  args: ['ls-tree', '-r', '-z', '--full-tree', 'HEAD', '--', REGISTRY_PATH, INTENTS_FOLDER],
  // In the folder of the intents lies a README.md as well.
  parse: out =>
    new Map(
      [...out.matchAll(/(\d+) blob ([\da-f]+)\t([^\0]*)\0/g)].map(entryOf).filter(([path]) => isRegistryPath(path)),
    ),
}

function entryOf([, mode = '', oid = '', path = '']: RegExpMatchArray) {
  return [path, { mode, oid }] as const
}

async function registryOnDisk(workspace: Workspace): Promise<Map<string, string>> {
  const { files, git } = workspace
  const names = await files.list(layoutOf(workspace).intents)
  const isThere = (await files.modifiedAt(layoutOf(workspace).registry)) !== null
  const paths = [...(isThere ? [REGISTRY_PATH] : []), ...intentFilesIn(names)]
  const oids = paths.length === 0 ? [] : await git.ask({ args: ['hash-object', '--', ...paths], parse: linesOf })
  return new Map(paths.map((path, n) => [path, oids[n] ?? '']))
}

function linesOf(out: string): string[] {
  return out.split('\n').slice(0, -1)
}
