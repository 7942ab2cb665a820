import { ignoredPaths } from '../diff/ignored.ts'
import { watchFolder, watchTree } from '../io/watch.ts'
import { globTest } from '../scope/globs.ts'
import { isRuntimePath } from '../workspace/own-writes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { cookiesIn } from './cookies.ts'
import type { Worker } from './worker.ts'

export type Eyes = AsyncDisposable & {
  /** Resolves true when the watcher has told of everything that was written before the call. */
  haveSeenAll(timeoutMs: number): Promise<boolean>
}

/** Watches the worktree and git's index on behalf of a worker. */
export async function openEyes(
  worker: Worker,
  {
    workspace,
    ignoredGlobs,
    failed,
  }: { workspace: Workspace; ignoredGlobs: readonly string[]; failed: (reason: unknown) => void },
): Promise<Eyes> {
  const cookies = cookiesIn(workspace)
  const ignored = await unwatched(workspace, ignoredGlobs)
  const tree = await watchTree(workspace.root, {
    ignored,
    changed: path => cookies.take(path) || isRuntimePath(path) || worker.noticed(path),
    failed,
  })
  const index = watchFolder(workspace.gitDir, { changed: name => void (isIndex(name) && worker.indexMoved()), failed })
  return {
    haveSeenAll: cookies.seen,
    async [Symbol.asyncDispose]() {
      index[Symbol.dispose]()
      await tree[Symbol.asyncDispose]()
    },
  }
}

function isIndex(name: string): boolean {
  return name === 'index' || name === 'index.lock'
}

/** What no write is recorded of: git's own, kotef's own, what gitignore ignores, and what config says. */
async function unwatched({ git }: Workspace, globs: readonly string[]): Promise<(path: string) => boolean> {
  const ignored = await git.ask(ignoredPaths)
  const matches = globs.map(globTest)
  return path =>
    path === '.git' ||
    path.startsWith('.git/') ||
    path.endsWith('/.git') ||
    ignored.has(path) ||
    matches.some(it => it(path) || it(`${path}/`))
}
