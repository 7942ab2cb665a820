import { folderContents } from './installation.ts'
import type { Repo } from './repo.ts'

/** All that lies in the worktree, but for git's and kotef's own. */
export async function worktreeFiles({ root }: Pick<Repo, 'root'>): Promise<Record<string, string>> {
  const all = Object.entries(await folderContents(root))
  return Object.fromEntries(all.filter(([path]) => !/^(\.git|\.orchestration|\.sdd|\.intentignore)(\/|$)/.test(path)))
}
