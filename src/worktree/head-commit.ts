import { headOid } from '../git/head-oid.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'
import type { Workspace } from './workspace.ts'

/** The commit that HEAD names, null while it is unborn. Git runs only where its files alone do not show the commit. */
export async function readHead({ root, git }: Pick<Workspace, 'root' | 'git'>): Promise<string | null> {
  return locateWorktree(root)?.head ?? git.tryAsk(headOid)
}
