import type { Blobs } from '../io/blobs.ts'
import type { Hasher } from '../io/hash.ts'
import type { Policy } from '../scope/policy.ts'
import type { Memory } from './memory.ts'
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
