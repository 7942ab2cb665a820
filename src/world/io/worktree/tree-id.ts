import { KotefError } from '../../../core/base/failure.ts'
import { type GitResult, runGit } from '../git/run-git.ts'
import { openScratchIndex, QUIET_CONFIG } from '../git/scratch-git.ts'
import { LEDGER_PATH, LESSONS_PATH } from '../../../core/base/governance-files.ts'
import { globList } from '../../../core/base/globs.ts'
import { sha256Hex } from '../../../core/base/sha256.ts'
import type { Workspace } from './workspace.ts'

/**
 * The oid of the tree that a commit of everything would have: tracked and untracked files as they are on disk, without
 * those that git ignores and without the ledger and the lessons. Nothing is written into the repository. Throws
 * `git-failed` for a file that git can't read. With globs (`!` excludes), an id of the files that they match instead.
 */
export async function treeId(
  workspace: Pick<Workspace, 'root' | 'gitDir' | 'commonDir'>,
  env: NodeJS.ProcessEnv,
  inputs: readonly string[] = [],
): Promise<string> {
  await using scratch = await openScratchIndex(workspace, env)
  const run = (...args: string[]) =>
    runGit([...QUIET_CONFIG, '-c', 'advice.addEmbeddedRepo=false', ...args], { cwd: workspace.root, env: scratch.env })
  await run('add', '--all', '--', ':/').then(textOrThrow)
  // A check's own record would be a change, where git does not ignore the ledger, and so would a lesson from its end.
  const own = inputs.length === 0 ? [LEDGER_PATH, LESSONS_PATH] : [LEDGER_PATH]
  await run('update-index', '--force-remove', ...own).then(textOrThrow)
  if (inputs.length === 0) return textOrThrow(await run('write-tree'))
  const verdict = globList(inputs)
  const entries = textOrThrow(await run('ls-files', '--stage', '-z')).split('\0')
  return sha256Hex(entries.filter(it => verdict(it.slice(it.indexOf('\t') + 1))?.kind === 'in').join('\0'))
}

function textOrThrow({ exit, stdout, stderr }: GitResult): string {
  if (exit === 0) return stdout.toString('utf8').trim()
  throw new KotefError('git-failed', `Git can't read the files of the worktree: ${stderr.trim()}`)
}
