import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { type Blobs, blobsOf } from './blobs.ts'
import { type Git, gitAround } from './git.ts'
import { withoutPlaces } from './without-places.ts'

/** Git that leaves nothing behind in a repository: what it has to make it makes aside, until this is disposed of. */
export type Aside = AsyncDisposable & { readonly git: Git; readonly blobs: Blobs }

type Place = { readonly root: string; readonly gitDir: string; readonly commonDir: string }

/**
 * Git may read what the repository has, and what a push that is not accepted yet has brought; of that a hook is told
 * in its environment. New objects go to a folder of their own, and no reference is moved.
 */
export async function gitAside({ root, gitDir, commonDir }: Place, outer: NodeJS.ProcessEnv): Promise<Aside> {
  const folder = await mkdtemp(join(tmpdir(), 'kotef-'))
  const objects = join(folder, 'objects')
  await mkdir(objects)
  const env = {
    ...withoutPlaces(outer),
    // Where there is no worktree, git may be told to look for no repository.
    ...(root === gitDir ? { GIT_DIR: gitDir } : {}),
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: [...pushed(outer), join(commonDir, 'objects')].map(quotedPath).join(delimiter),
    GIT_QUARANTINE_PATH: objects,
  }
  const blobs = blobsOf(root, { around: env, needed: true })
  return {
    git: gitAround(root, env),
    blobs,
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function pushed({ GIT_QUARANTINE_PATH: path }: NodeJS.ProcessEnv): string[] {
  return path ? [resolve(path)] : []
}

// Git reads a path in quotes as C does a text.
function quotedPath(path: string): string {
  return JSON.stringify(path)
}
