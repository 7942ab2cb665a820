import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALLOWED_SIGNERS_PATH, isRegistryPath } from '../../core/base/governance-files.ts'
import { type Signature, signatureBy } from '../../core/git/signatures.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { type Approval, isApproved } from '../../core/rules/approval.ts'
import { openScratch } from '../io/files/scratch-folder.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { BasePolicy } from '../commits/base-policy.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

/** The signature of a commit by the keys of those who may change the rules; null where no list says who may. */
export type SignatureLookup = (commit: string, base: Pick<BasePolicy, 'commit'>) => Promise<Signature | null>

/**
 * Asks git for each signature once, with the list of keys in a folder that is gone afterwards. The list is that of the
 * branch which the range is for, as it is now: a key that was removed there counts nowhere. Where no branch is known,
 * it is that of the commit from before the range. No commit of the range can have changed it.
 */
export function signatureLookup(workspace: ScratchWorkspace, branch: string | null): SignatureLookup {
  const known = new Map<string, Promise<Signature | null>>()
  return (commit, base) => {
    const listed = `${branch ?? base.commit}:${ALLOWED_SIGNERS_PATH}`
    const signature = known.get(`${commit} ${listed}`) ?? signatureByList(workspace, commit, listed)
    known.set(`${commit} ${listed}`, signature)
    return signature
  }
}

async function signatureByList({ git, blobs }: ScratchWorkspace, commit: string, listed: string) {
  const keys = await readBlobText(blobs, listed)
  if (keys === null) return null
  await using folder = await openScratch()
  const path = join(folder.path, 'allowed_signers')
  await writeFile(path, keys)
  return (await git.tryAsk(signatureBy(path, commit))) ?? 'unchecked'
}

/** Answers whether a person who may do so signed the registry that a commit brings, or without a list approved it. */
export function grantLookup(signatureOf: SignatureLookup, approvals: readonly Approval[]) {
  return async ({ oid, changes, parents }: Commit, base: BasePolicy): Promise<boolean> => {
    const signature = await signatureOf(oid, base)
    if (signature !== null) return signature === 'good'
    return changes.some(it => isRegistryPath(it.path) && isApproved(it, parents[0] ?? null, approvals))
  }
}
