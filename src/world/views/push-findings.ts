import { judgePush } from '../verify/judge-push.ts'
import type { Finding } from '../../core/base/finding.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { readHead } from '../io/worktree/head.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** What a push of HEAD to its remote would find now; empty without a remote, and for a very long push. */
export async function findingsOfNextPush(workspace: Workspace): Promise<Finding[]> {
  const head = await readHead(workspace)
  const remote = head === null ? null : await remoteOfBranch(workspace)
  if (head === null || remote === null) return []
  const args = ['rev-list', '--count', `--max-count=${COMMITS_MAX + 1}`, head, '--not', `--remotes=${remote}`]
  const commits = await workspace.git.ask({ args, parse: Number })
  if (commits === 0 || commits > COMMITS_MAX) return []
  const lines = `HEAD ${head} HEAD ${'0'.repeat(head.length)}\n`
  return judgePush(workspace, { remote, url: '', lines }, process.env)
}

// The first push of a long history would take longer than anybody waits for a status.
const COMMITS_MAX = 500

/** The remote that `git push` takes: that of the branch, else the default one, else the only one. */
async function remoteOfBranch({ git }: Workspace): Promise<string | null> {
  const remotes = await git.ask(remoteNames)
  const [branch] = (await git.tryAsk(branchName)) ?? []
  const keys = branch === undefined ? [] : [`branch.${branch}.pushRemote`, `branch.${branch}.remote`]
  for (const key of [...keys.slice(0, 1), 'remote.pushDefault', ...keys.slice(1)]) {
    const named = await git.tryAsk({ args: ['config', '--get', key], parse: out => out.trim() })
    if (named && remotes.includes(named)) return named
  }
  return remotes.find(it => it === 'origin') ?? (remotes.length === 1 ? (remotes[0] ?? null) : null)
}

const remoteNames: GitQuery<string[]> = { args: ['remote'], parse: out => out.split('\n').slice(0, -1) }
const branchName: GitQuery<string[]> = {
  args: ['symbolic-ref', '--short', '--quiet', 'HEAD'],
  parse: out => out.split('\n').slice(0, -1),
}
