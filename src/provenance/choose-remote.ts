import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The remote to use: the named one, else that of the branch, else `origin`, else the only one. */
export async function chooseRemote({ git }: Workspace, named: string): Promise<string> {
  const remotes = await git.ask({ args: ['remote'], parse: out => out.split('\n').slice(0, -1) })
  if (named !== '') {
    if (remotes.includes(named)) return named
    throw new KotefError('usage', `There is no remote ${printable(named)}.`, { hint: 'See them: `git remote -v`' })
  }
  const branch = await git.ask({ args: ['symbolic-ref', '--quiet', '--short', 'HEAD'], parse: out => out.trim() })
  const own =
    branch === '' ? '' : await git.ask({ args: ['config', `branch.${branch}.remote`], parse: out => out.trim() })
  const remote = [own, 'origin', remotes.length === 1 ? (remotes[0] ?? '') : ''].find(it => remotes.includes(it))
  if (remote !== undefined) return remote
  throw new KotefError('usage', 'There is no remote to sync with.', { hint: 'Add one: `git remote add origin <url>`' })
}
