import { join } from 'node:path'
import { type Gatherer, pathExists, readBytes, tryAskGit } from '../../../core/git/gatherer.ts'
import { fileNameFor } from '../../io/files/file-name.ts'
import { gather } from '../../io/git/gather.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

type GitDir = Pick<Workspace, 'gitDir'>

/** Remembers that work on an intent was started on the branch of this worktree. Nothing on a detached HEAD. */
export async function saveBranchIntent(workspace: Workspace, intent: string): Promise<void> {
  const branch = await gather(workspace, currentBranch(workspace))
  if (branch !== null) await workspace.files.put(startedPath(workspace, branch), `${intent}\n`)
}

/** The intent that was started last on a branch, in this worktree. */
export function* intentStartedOn(gitDir: GitDir, branch: string): Gatherer<string | null> {
  const text = yield* readBytes(startedPath(gitDir, branch))
  return text?.toString('utf8').trim() || null
}

/** The branch that is checked out, or being rebased, such as `refs/heads/main`; null while HEAD is detached. */
export function* currentBranch({ gitDir }: GitDir): Gatherer<string | null> {
  const head = (yield* readBytes(join(gitDir, 'HEAD')))?.toString('utf8').trim() ?? ''
  const branch = (yield* pathExists(join(gitDir, 'reftable')))
    ? yield* tryAskGit({ args: ['symbolic-ref', '--quiet', 'HEAD'], parse: out => out.trim() })
    : (/^ref: (refs\/heads\/.+)$/.exec(head)?.[1] ?? null)
  return branch ?? (yield* rebasedBranch(gitDir))
}

// A rebase detaches HEAD until it is over.
function* rebasedBranch(gitDir: string): Gatherer<string | null> {
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    const name = (yield* readBytes(join(gitDir, folder, 'head-name')))?.toString('utf8').trim()
    if (name?.startsWith('refs/heads/')) return name
  }
  return null
}

// A branch may go and come back, and its name be used again: the intent counts only while it owns what is staged.
function startedPath(gitDir: GitDir, branch: string): string {
  return ownPath(gitDir, 'branches', fileNameFor(branch))
}
