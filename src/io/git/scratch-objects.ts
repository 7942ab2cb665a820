import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { type Blobs, openBlobs } from './blobs.ts'
import { type Git, gitWithEnv } from './git.ts'
import { withoutRepositoryEnv } from './git-env.ts'

/** Git that leaves nothing behind in a repository: what it has to make it makes aside, until this is disposed of. */
export type ScratchGit = AsyncDisposable & { readonly git: Git; readonly blobs: Blobs }

type RepositoryFolders = { readonly root: string; readonly gitDir: string; readonly commonDir: string }

/**
 * Git may read what the repository has, and what a push that is not accepted yet has brought; of that a hook is told
 * in its environment. New objects go to a folder of their own, and no reference is moved.
 */
export async function openScratchGit(
  { root, gitDir, commonDir }: RepositoryFolders,
  outer: NodeJS.ProcessEnv,
): Promise<ScratchGit> {
  const folder = await mkdtemp(join(tmpdir(), 'kotef-'))
  const objects = join(folder, 'objects')
  await mkdir(objects)
  const env = {
    ...withoutRepositoryEnv(outer),
    // Where there is no worktree, git may be told to look for no repository.
    ...(root === gitDir ? { GIT_DIR: gitDir } : {}),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [...quarantinedObjects(outer), join(commonDir, 'objects')]
      .map(quoteAlternate)
      .join(delimiter),
    GIT_QUARANTINE_PATH: objects,
  }
  const blobs = openBlobs(root, { env, failIfUnfetchable: true })
  return {
    git: gitWithEnv(root, env),
    blobs,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function quarantinedObjects({ GIT_QUARANTINE_PATH: path }: NodeJS.ProcessEnv): string[] {
  return path ? [resolve(path)] : []
}

// Git reads a path in quotes as C does a text.
function quoteAlternate(path: string): string {
  return JSON.stringify(path)
}
