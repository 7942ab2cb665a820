import { copyFile, mkdir } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { openScratch } from '../files/scratch-folder.ts'
import { type Blobs, openBlobs } from './blobs.ts'
import { type Git, gitWithEnv } from './git.ts'
import { runGit, withoutRepositoryEnv } from './run-git.ts'

/** Git that leaves nothing behind in a repository: the objects that it makes are deleted with this. */
export type ScratchGit = AsyncDisposable & { readonly git: Git; readonly blobs: Blobs }

/** A folder and an environment in which git can be run with an index of its own; both end with this. */
export type ScratchIndex = AsyncDisposable & { readonly folder: string; readonly env: NodeJS.ProcessEnv }

export type RepositoryFolders = { readonly root: string; readonly gitDir: string; readonly commonDir: string }

/** Opens git for questions whose answer has to be made as an object first, such as a merge. */
export async function openScratchGit(repository: RepositoryFolders, outer: NodeJS.ProcessEnv): Promise<ScratchGit> {
  const { root, commonDir } = repository
  const { env: folderEnv, [Symbol.asyncDispose]: removeFolder } = await openScratchFolder(repository, outer)
  const env = { ...folderEnv, ...linesMergedEnv(outer) }
  const blobs = openBlobs(root, { env, failIfUnfetchable: true })
  return {
    git: gitWithEnv(root, env, commonDir),
    blobs,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await removeFolder()
    },
  }
}

// A server has no merge driver of kotef: both have to find the same in a merge.
function linesMergedEnv(outer: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const n = Number(outer['GIT_CONFIG_COUNT'] ?? 0)
  return {
    GIT_CONFIG_COUNT: `${n + 1}`,
    [`GIT_CONFIG_KEY_${n}`]: 'merge.kotef-registry.driver',
    [`GIT_CONFIG_VALUE_${n}`]: 'git merge-file --marker-size=%L %A %O %B',
  }
}

/** Opens an index in which nothing is staged, for commits that are only tried. */
export async function openScratchIndex(repository: RepositoryFolders, outer: NodeJS.ProcessEnv): Promise<ScratchIndex> {
  const scratch = await openScratchFolder(repository, outer)
  const index = join(scratch.folder, 'index')
  const env = { ...scratch.env, ...KOTEF_IDENTITY, GIT_INDEX_FILE: index }
  // A copy of the real index has the stats of unchanged files, so that git reads none of these again.
  await copyFile(join(repository.gitDir, 'index'), index).catch(() => {})
  const run = (...args: string[]) => runGit([...QUIET_CONFIG, ...args], { cwd: repository.root, env })
  const { exit } = await run('read-tree', '--reset', 'HEAD')
  if (exit !== 0) await run('read-tree', '--empty')
  // `git add` of a file that git takes for changed would give the file's real object another date.
  await run('update-index', '-q', '--refresh')
  return { ...scratch, env }
}

/** Options that keep git from writing beside the index, from starting its daemon, and from visiting submodules. */
export const QUIET_CONFIG = ['core.splitIndex=false', 'core.fsmonitor=false', 'submodule.recurse=false'].flatMap(it => [
  '-c',
  it,
])

/**
 * Opens a folder and an environment in which git finds the objects of the repository, and those of a push that is not
 * accepted yet, which a hook is given in its environment. New objects go to the folder.
 */
export async function openScratchFolder(
  { root, gitDir, commonDir }: RepositoryFolders,
  outer: NodeJS.ProcessEnv,
): Promise<ScratchIndex> {
  const { path: folder, [Symbol.asyncDispose]: remove } = await openScratch()
  const objects = join(folder, 'objects')
  await mkdir(objects)
  const pushed = outer['GIT_QUARANTINE_PATH'] ? [resolve(outer['GIT_QUARANTINE_PATH'])] : []
  const env = {
    ...withoutRepositoryEnv(outer),
    // A bare repository: git may be configured not to look for one (safe.bareRepository).
    ...(root === gitDir ? { GIT_DIR: gitDir } : {}),
    GIT_OBJECT_DIRECTORY: objects,
    // Git reads a quoted path as a C string.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [...pushed, join(commonDir, 'objects')]
      .map(it => JSON.stringify(it))
      .join(delimiter),
    // In a quarantine git moves no ref.
    GIT_QUARANTINE_PATH: objects,
  }
  return { folder, env, [Symbol.asyncDispose]: remove }
}

// Git needs to know the author before it runs the hooks of a commit, and must not wait for an editor or a password.
const KOTEF_IDENTITY = {
  GIT_AUTHOR_NAME: 'kotef',
  GIT_AUTHOR_EMAIL: 'kotef@localhost',
  GIT_COMMITTER_NAME: 'kotef',
  GIT_COMMITTER_EMAIL: 'kotef@localhost',
  GIT_EDITOR: ':',
  GIT_TERMINAL_PROMPT: '0',
}
