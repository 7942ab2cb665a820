import type { GitQuery } from '../git/query.ts'
import { repositoryPaths } from '../git/repository-paths.ts'
import { type Clock, systemClock } from '../io/process/clock.ts'
import { disk, type Files } from '../io/files/files.ts'
import { type Git, gitIn } from '../io/git/git.ts'
import { KotefError } from '../findings/failure.ts'

/** An opened worktree: where things are, and the hands (git, disk, clock) that every use-case is given. */
export type Workspace = {
  /** Absolute path of the top of the worktree, symlinks resolved. */
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

/** Opens the worktree that `directory` lies in. */
export async function openWorkspace(
  directory: string,
  { files = disk, clock = systemClock }: { files?: Files; clock?: Clock } = {},
): Promise<Workspace> {
  const git = gitIn(directory)
  const [root, gitDir, commonDir] = (await git.tryAsk(repositoryPaths)) ?? []
  if (!root || !gitDir || !commonDir) throw await notAWorktreeError(directory, git)
  return { root, gitDir, commonDir, git: gitIn(root), files, clock }
}

async function notAWorktreeError(directory: string, git: Git): Promise<KotefError> {
  const refusal = await git.ask(gitDirectories).then(() => '', String)
  // Git's words are the user's language; the command that it names is not, and is quoted as a shell needs it.
  const [trust] = /git config --global --add safe\.directory .+/.exec(refusal) ?? []
  if (trust) {
    return new KotefError('not-a-repo', `Git does nothing in ${directory}: it belongs to somebody else.`, {
      hint: `If you trust all that is in it: \`${trust}\``,
    })
  }
  // Git names below its words what it does not know, each on a line of its own.
  const [, extension] = /^\t([\w-]+)$/m.exec(refusal) ?? []
  if (extension) {
    const what = `Git does not know extensions.${extension}, which the repository in ${directory} has.`
    return new KotefError('not-a-repo', what, { hint: 'Use a later git here; this one is: `git version`' })
  }
  const isBare = await git.tryAsk({ args: ['rev-parse', '--is-bare-repository'], parse: out => out === 'true\n' })
  if (!isBare) return new KotefError('not-a-repo', `${directory} is not in a git worktree.`)
  return new KotefError('not-a-repo', `${directory} is a bare repository: nothing is worked on there.`, {
    hint: 'Make a worktree, and run kotef in it: `git worktree add <path>`',
  })
}

/** As `openWorkspace`, but a bare repository will do: then there are no files to look at. */
export async function openRepository(directory: string): Promise<Workspace> {
  return openWorkspace(directory).catch(async (thrown: unknown) => {
    const git = gitIn(directory)
    const [gitDir, commonDir] = (await git.tryAsk(gitDirectories)) ?? []
    if (!gitDir || !commonDir) throw thrown
    return { root: gitDir, gitDir, commonDir, git: gitIn(gitDir), files: disk, clock: systemClock }
  })
}

const gitDirectories: GitQuery<string[]> = {
  args: ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir'],
  parse: out => out.split('\n').slice(0, -1),
}
