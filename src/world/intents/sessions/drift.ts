import { readHead } from '../../io/worktree/head.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import type { Session } from '../../../core/intents/session.ts'
import type { Drift } from '../../../core/report/drift.ts'
import { globList } from '../../../core/base/globs.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The commits and scope files that changed since a session began; null when HEAD is, or was, unborn. */
export async function driftOf(
  workspace: Pick<Workspace, 'root' | 'git'>,
  { baseCommit: base }: Pick<Session, 'baseCommit'>,
  { owned_scope }: Pick<Intent, 'owned_scope'>,
): Promise<Drift | null> {
  const { git } = workspace
  const head = await readHead(workspace)
  if (base === null || head === null) return null
  if (base === head) return { base, head, commits: 0, files: [] }
  const commits = await git.tryAsk(commitCount(base, head))
  const changed = (await git.tryAsk(pathsChangedBetween(base, head))) ?? []
  const isOwned = globList(owned_scope)
  return { base, head, commits, files: changed.filter(it => isOwned(it)?.kind === 'in').sort() }
}

function commitCount(base: string, head: string): GitQuery<number> {
  return { args: ['rev-list', '--count', '--end-of-options', `${base}..${head}`, '--'], parse: Number }
}

function pathsChangedBetween(base: string, head: string): GitQuery<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', base, head, '--']
  return { args, parse: out => out.split('\0').slice(0, -1) }
}
