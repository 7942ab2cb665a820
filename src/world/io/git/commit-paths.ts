import type { GitStatusEntry } from '../../../core/git/status.ts'
import { runGit, withoutRepositoryEnv } from './run-git.ts'

/** Changed paths, and the paragraphs of the message that a commit of them gets. */
export type PathsToCommit = { readonly entries: readonly GitStatusEntry[]; readonly message: readonly string[] }

/**
 * Commits changed paths alone, through git's hooks; what else is staged stays so. The answer is what git said when it
 * made no commit, and the index is as before; else null.
 */
export async function commitPaths(
  root: string,
  { entries, message }: PathsToCommit,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const place = { cwd: root, env: withoutRepositoryEnv(env) }
  const added = entries.filter(it => it.kind === 'untracked').map(it => it.path)
  // Git commits by its path only what it knows.
  if (added.length > 0) await runGit(['add', '--intent-to-add', '--', ...added], place)
  const words = message.flatMap(it => ['-m', it])
  const paths = entries.map(it => it.path)
  const { exit, stderr } = await runGit(['commit', '--quiet', ...words, '--', ...paths], place)
  if (exit === 0) return null
  // Such an entry has no content: `git checkout .` would write an empty file.
  if (added.length > 0) await runGit(['reset', '--quiet', '--', ...added], place)
  return stderr.trimEnd()
}
