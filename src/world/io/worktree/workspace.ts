import type { GitQuery } from '../../../core/git/query.ts'
import { repositoryPaths } from '../../../core/git/worktrees.ts'
import { type Clock, systemClock } from '../process/clock.ts'
import { disk, type Files } from '../files/files.ts'
import { type Git, gitIn } from '../git/git.ts'
import { refuseOddGitFiles } from '../git/odd-refs.ts'
import { locateWorktree } from '../git/read-git-dir.ts'
import { KotefError } from '../../../core/base/failure.ts'

/** An opened worktree: its paths, and the git, disk and clock that every use-case works with. */
export type Workspace = {
  /** The absolute path of the top of the worktree, with symlinks resolved. */
  readonly root: string
  /** This worktree's own git directory: `.git`, or `.git/worktrees/<name>`. */
  readonly gitDir: string
  /** The git directory that all worktrees of the clone share. */
  readonly commonDir: string
  readonly git: Git
  readonly files: Files
  readonly clock: Clock
}

/** What a store of small files in the git directory needs of a workspace. Agents' hooks have no more than this. */
export type GitDirAccess = Pick<Workspace, 'gitDir' | 'files'>

/** Opens the worktree that contains `directory`. */
export async function openWorkspace(
  directory: string,
  { files = disk, clock = systemClock }: { files?: Files; clock?: Clock } = {},
): Promise<Workspace> {
  const git = gitIn(directory)
  const [root, gitDir, commonDir] = pathsFromFiles(directory) ?? (await git.tryAsk(repositoryPaths)) ?? []
  if (!root || !gitDir || !commonDir) throw await notAWorktreeError(directory, git)
  refuseOddGitFiles({ gitDir, commonDir })
  return { root, gitDir, commonDir, git: gitIn(root, commonDir), files, clock }
}

// Reading git's files takes less time than starting git, which decides where HEAD can't be read from them.
function pathsFromFiles(directory: string): string[] | null {
  const found = locateWorktree(directory)
  return found && (found.head !== null || found.isUnborn) ? [found.root, found.gitDir, found.commonDir] : null
}

async function notAWorktreeError(directory: string, git: Git): Promise<KotefError> {
  const refusal = await git.ask(gitDirectories).then(() => '', String)
  // Git translates its message, but not the command in it, which is already quoted for a shell.
  const [trust] = /git config --global --add safe\.directory .+/.exec(refusal) ?? []
  if (trust) {
    return new KotefError('not-a-repo', `Git refuses to work in ${directory}: it belongs to another user.`, {
      hint: `If you trust its content: \`${trust}\``,
    })
  }
  // Below its message, git lists the extensions that it does not support, one a line.
  const [, extension] = /^\t([\w-]+)$/m.exec(refusal) ?? []
  if (extension) {
    const what = `Git does not support extensions.${extension}, which the repository in ${directory} uses.`
    return new KotefError('not-a-repo', what, { hint: 'Use a newer git. See its version with `git version`' })
  }
  const isBare = await git.tryAsk({ args: ['rev-parse', '--is-bare-repository'], parse: out => out === 'true\n' })
  if (!isBare && process.env['GIT_DIR'])
    return new KotefError('not-a-repo', `${directory} has no .git of its own, and kotef does not follow GIT_DIR.`, {
      hint: 'Use it in a worktree with .git in it; a dotfiles repository by GIT_DIR is not supported.',
    })
  if (!isBare) return new KotefError('not-a-repo', `${directory} is not in a git worktree.`)
  return new KotefError('not-a-repo', `${directory} is a bare repository, without a worktree.`, {
    hint: 'Add a worktree and run kotef there: `git worktree add <path>`',
  })
}

/** As `openWorkspace`, but also opens a bare repository, with the git directory as its root. */
export async function openRepository(directory: string): Promise<Workspace> {
  return openWorkspace(directory).catch(async (thrown: unknown) => {
    const git = gitIn(directory)
    const [gitDir, commonDir] = (await git.tryAsk(gitDirectories)) ?? []
    if (!gitDir || !commonDir) throw thrown
    return { root: gitDir, gitDir, commonDir, git: gitIn(gitDir, commonDir), files: disk, clock: systemClock }
  })
}

const gitDirectories: GitQuery<string[]> = {
  args: ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'],
  parse: out => out.split('\n').slice(0, -1),
}
