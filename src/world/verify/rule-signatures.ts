import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALLOWED_SIGNERS_PATH, isRegistryPath } from '../../core/base/governance-files.ts'
import { type Signature, signatureBy } from '../../core/git/signatures.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { type Approval, isApproved } from '../../core/rules/approval.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { BasePolicy } from '../commits/base-policy.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

/**
 * The signature of a commit by the keys of those who may change the rules; null where no list says who may. The list is
 * that of the commit which has the policy: no commit of the judged range can have changed it.
 */
export type SignatureLookup = (commit: string, base: Pick<BasePolicy, 'commit' | 'newer'>) => Promise<Signature | null>

/** Asks git for signatures, with the list of keys in a folder that is gone afterwards. */
export function signatureLookup({ git, blobs }: ScratchWorkspace): SignatureLookup {
  return async (commit, base) => {
    const list = await readBlobText(blobs, `${base.newer?.commit ?? base.commit}:${ALLOWED_SIGNERS_PATH}`)
    if (list === null) return null
    const folder = await mkdtemp(join(tmpdir(), 'kotef-'))
    try {
      const path = join(folder, 'allowed_signers')
      await writeFile(path, list)
      return (await git.tryAsk(signatureBy(path, commit))) ?? 'unchecked'
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Answers whether a person who may do so signed the registry that a commit brings, or without a list approved it. */
export function grantLookup(signatureOf: SignatureLookup, approvals: readonly Approval[]) {
  return async ({ oid, changes, parents }: Commit, base: BasePolicy): Promise<boolean> => {
    const signature = await signatureOf(oid, base)
    if (signature !== null) return signature === 'good'
    return changes.some(it => isRegistryPath(it.path) && isApproved(it, parents[0] ?? null, approvals))
  }
}
