import { type Blobs, openBlobs } from '../io/git/blobs.ts'
import type { Workspace } from './workspace.ts'
import { headOid } from '../git/revisions.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'

/** The texts of files at HEAD, in the order of `paths`; null for a file that HEAD does not have. */
export async function textsAtHead(
  { root }: Pick<Workspace, 'root'>,
  paths: readonly string[],
): Promise<(string | null)[]> {
  await using blobs = openBlobs(root)
  return await Promise.all(paths.map(it => readBlobText(blobs, `HEAD:${it}`)))
}

/** The text of a blob, named as `<commit>:<path>`; null when there is no such blob. */
export async function readBlobText(blobs: Blobs, name: string): Promise<string | null> {
  return (await blobs.read(name))?.toString('utf8') ?? null
}

/** The commit that HEAD names, null while it is unborn. Git runs only where its files alone do not show the commit. */
export async function readHead({ root, git }: Pick<Workspace, 'root' | 'git'>): Promise<string | null> {
  const { head = null, isUnborn = false } = locateWorktree(root) ?? {}
  return isUnborn ? null : (head ?? git.tryAsk(headOid))
}
