import type { Blobs } from '../../io/git/blobs.ts'
import { toKotefError } from '../../../core/base/failure.ts'
import { type Hasher, loadHasher } from '../../io/files/hasher.ts'
import type { Policy } from '../../../core/intents/scope/policy.ts'
import { policyTextsAtHead, readHead } from '../../io/worktree/head.ts'
import type { WorktreeState } from './worktree-state.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { readSignature } from '../../io/files/file-state.ts'
import { loadPolicy } from '../../intents/policy/load-policy.ts'
import { policyFromTexts } from '../../../core/rules/policy-of-sources.ts'
import { policySourcePaths } from '../../intents/policy/current-policy.ts'
import { gather } from '../../io/git/gather.ts'
import { join } from 'node:path'

/** What recording needs: the worktree's state, a hasher, git's blobs, and limits. */
export type RecorderContext = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  readonly hasher: Hasher
  readonly blobs: Blobs
  /** The commit that HEAD names now; null while it is unborn. */
  readonly head: () => Promise<string | null>
  /** The policy in force, with the committed one as of that HEAD; null when it can't be read. */
  readonly policyAt: (head: string | null) => Promise<Policy | null>
  /** Texts larger than this are recorded by their oid alone. */
  readonly textBytesMax: number
  /** Aborted when recording has to end at once: what is not recorded by then is found by the next process. */
  readonly halt: AbortSignal
}

/** Opens the context of a worktree. A policy that can't be read is reported to `failed`. */
export async function recorderContextOf(
  workspace: Workspace,
  state: WorktreeState,
  {
    failed,
    ...means
  }: Pick<RecorderContext, 'blobs' | 'textBytesMax' | 'halt'> & { failed: (reason: unknown) => void },
): Promise<RecorderContext> {
  const cached = { policyAt: cachedPolicy(workspace, failed), head: () => readHead(workspace) }
  return { workspace, state, hasher: await loadHasher(), ...means, ...cached }
}

/**
 * A function that returns the policy, read again only when one of its files or HEAD has changed. While it can't be
 * read, the last one counts; where there is no registry HEAD's does, or else the last one of this HEAD: an agent may
 * have moved it away. Null without either, as on a branch from before the adoption: then writes are recorded without an
 * owner and without violations.
 */
function cachedPolicy(
  workspace: Workspace,
  failed: (reason: unknown) => void,
): (head: string | null) => Promise<Policy | null> {
  let key = ''
  let last: { readonly policy: Policy | null; readonly head: string | null } = { policy: null, head: null }
  return async head => {
    const signatures = await sourceSignatures(workspace)
    const now = JSON.stringify([head, ...signatures])
    const instead = (thrown: unknown): Promise<Policy | null> => {
      failed(thrown)
      return policyInstead(workspace, thrown, { last: last.policy, isOfHead: last.head === head })
    }
    if (now !== key) last = { policy: await loadPolicy(workspace).catch(instead), head }
    key = now
    return last.policy
  }
}

async function policyInstead(
  workspace: Workspace,
  thrown: unknown,
  { last, isOfHead }: { readonly last: Policy | null; readonly isOfHead: boolean },
): Promise<Policy | null> {
  if (toKotefError(thrown).code !== 'registry-missing') return last
  const committed = policyFromTexts(await policyTextsAtHead(workspace).catch(() => []))
  return committed ?? (isOfHead ? last : null)
}

async function sourceSignatures(workspace: Workspace): Promise<unknown[]> {
  const { root } = workspace
  const paths = await gather(workspace, policySourcePaths(root))
  return Promise.all(paths.map(async it => [it, await readSignature(join(root, it))]))
}
