import type { PersonProof } from '../../core/ledger/event.ts'
import { appendRecords } from '../ledger/append-records.ts'
import { sha256Hex } from '../../core/base/sha256.ts'
import { treeId } from '../io/worktree/tree-id.ts'
import type { GitDirAccess, Workspace } from '../io/worktree/workspace.ts'
import { findPass, keepPass } from './check-passes.ts'

/** What a person attests: criteria of an intent, on the files that have this tree id. */
export type Attested = {
  readonly intent: string
  readonly criteria: readonly string[]
  readonly tree: string
}

/** Records that a person attests criteria, in the ledger and for the next check of the same files. */
export async function recordAttestation(
  workspace: Workspace,
  { person, ...attested }: Attested & { readonly person: PersonProof },
): Promise<void> {
  await appendRecords(workspace, [{ event: { event: 'attested', ...attested, person } }])
  const at = workspace.clock.now()
  for (const it of attested.criteria) await keepPass(workspace, nameOf(it), { key: keyOf(it, attested), at })
}

/** Those of some criteria that a person has attested on the files as they are, and the id of their tree. */
export async function attestedNow(
  workspace: Workspace,
  { intent, criteria }: Omit<Attested, 'tree'>,
  env: NodeJS.ProcessEnv,
): Promise<Attested> {
  if (criteria.length === 0) return { intent, criteria: [], tree: '' }
  const tree = await treeId(workspace, env)
  const found = await Promise.all(criteria.map(it => isAttested(workspace, it, { intent, tree })))
  return { intent, criteria: criteria.filter((_, n) => found[n]), tree }
}

type OnTree = Pick<Attested, 'intent' | 'tree'>

async function isAttested(access: GitDirAccess, criterion: string, on: OnTree): Promise<boolean> {
  return (await findPass(access, nameOf(criterion), keyOf(criterion, on))) !== null
}

function keyOf(criterion: string, { intent, tree }: OnTree): string {
  return sha256Hex(JSON.stringify([criterion, intent, tree]))
}

// Passes are kept by the command: no command is this text.
function nameOf(criterion: string): string {
  return `attested\0${criterion}`
}
