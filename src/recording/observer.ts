import type { Blobs } from '../io/blobs.ts'
import { type Hasher, loadHasher } from '../io/hash.ts'
import type { Policy } from '../scope/policy.ts'
import { cachedHead } from './head-cache.ts'
import type { Memory } from './memory.ts'
import { cachedPolicy } from './policy-cache.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** An observer's means: what it knows, how it hashes, where it finds git's blobs, and its limits. */
export type Observer = {
  readonly workspace: Workspace
  readonly memory: Memory
  readonly hasher: Hasher
  readonly blobs: Blobs
  /** The commit that HEAD names now; null while it is unborn. */
  readonly head: () => Promise<string | null>
  /** The policy in force, with the committed one as of that HEAD; null when it can't be read. */
  readonly policyAt: (head: string | null) => Promise<Policy | null>
  /** Texts larger than this are recorded by their oid alone. */
  readonly textBytesMax: number
}

/** An observer of a worktree; a policy that can't be read is told of by `failed`. */
export async function observerOf(
  workspace: Workspace,
  memory: Memory,
  { failed, ...means }: Pick<Observer, 'blobs' | 'textBytesMax'> & { failed: (reason: unknown) => void },
): Promise<Observer> {
  const cached = { policyAt: cachedPolicy(workspace, failed), head: cachedHead(workspace) }
  return { workspace, memory, hasher: await loadHasher(), ...means, ...cached }
}
