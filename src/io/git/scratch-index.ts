import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../process/run-program.ts'
import { withoutRepositoryEnv } from './git-env.ts'

/** An environment in which git can be run without leaving anything behind, until it is disposed of. */
export type ScratchIndex = AsyncDisposable & { readonly folder: string; readonly env: NodeJS.ProcessEnv }

type RepositoryFolders = { readonly root: string; readonly gitDir: string; readonly commonDir: string }

/**
 * Gives git an index of its own, in which nothing is staged, and a place of its own for new objects. It refuses to move
 * a ref meanwhile, as it does for a push that is not accepted yet.
 */
export async function openScratchIndex(
  { root, gitDir, commonDir }: RepositoryFolders,
  outer: NodeJS.ProcessEnv,
): Promise<ScratchIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'kotef-'))
  const objects = join(folder, 'objects')
  const env = {
    ...withoutRepositoryEnv(outer),
    ...KOTEF_IDENTITY,
    GIT_INDEX_FILE: join(folder, 'index'),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(commonDir, 'objects')),
    GIT_QUARANTINE_PATH: objects,
  }
  await mkdir(objects)
  await fillIndex({ root, gitDir, folder }, env)
  return { folder, env, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }) }
}

/** What keeps git from writing beside the index, from starting its daemon, and from asking for more than it needs. */
export const QUIET_CONFIG = ['core.splitIndex=false', 'core.fsmonitor=false', 'submodule.recurse=false'].flatMap(it => [
  '-c',
  it,
])

// From a copy of the real index git knows which files are as they were, and reads none of them again.
async function fillIndex(
  { root, gitDir, folder }: Omit<RepositoryFolders, 'commonDir'> & { folder: string },
  env: NodeJS.ProcessEnv,
) {
  await copyFile(join(gitDir, 'index'), join(folder, 'index')).catch(() => {})
  const { exit } = await runProgram('git', [...QUIET_CONFIG, 'read-tree', '--reset', 'HEAD'], { cwd: root, env })
  if (exit !== 0) await runProgram('git', [...QUIET_CONFIG, 'read-tree', '--empty'], { cwd: root, env })
  // Who adds a file that git can't tell to be as it was gives the real object of it another date.
  await runProgram('git', [...QUIET_CONFIG, 'update-index', '-q', '--refresh'], { cwd: root, env })
}

// Git asks who commits before it asks the hooks, and waits for nobody.
const KOTEF_IDENTITY = {
  GIT_AUTHOR_NAME: 'kotef',
  GIT_AUTHOR_EMAIL: 'kotef@localhost',
  GIT_COMMITTER_NAME: 'kotef',
  GIT_COMMITTER_EMAIL: 'kotef@localhost',
  GIT_EDITOR: ':',
  GIT_TERMINAL_PROMPT: '0',
}
