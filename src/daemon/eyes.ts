import { watchTree } from '../io/watch.ts'
import { watchFolder } from '../io/watch-folder.ts'
import { statusAndIgnored } from '../diff/status.ts'
import { ignoredAmong } from '../io/check-ignore.ts'
import type { Config } from '../intents/config.ts'
import { contentOf, forgetHowGitSees, type Memory } from '../recording/memory.ts'
import { isRuntimePath } from '../workspace/own-writes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { cookiesIn } from './cookies.ts'
import { oneAtATime, rhythmOf } from './rhythm.ts'
import { missingBelow } from './missing-below.ts'
import type { Worker } from './worker.ts'

export type Eyes = AsyncDisposable & {
  /** Resolves true when the watcher has told of everything that was written before the call. */
  haveSeenAll(timeoutMs: number): Promise<boolean>
}

type Around = {
  readonly workspace: Workspace
  readonly memory: Memory
  readonly watch: Config['watch']
  /** The paths that git ignores. */
  readonly ignored: Promise<readonly string[]>
  readonly failed: (reason: unknown) => void
  /** Finds by git what no event told of. */
  readonly reconcile: () => Promise<unknown>
}

/** Watches the worktree and git's index on behalf of a worker; what may have been missed is looked for. */
export async function openEyes(
  worker: Pick<Worker, 'heard' | 'indexMoved' | 'idle' | 'alone'>,
  { workspace, memory, watch, ignored, failed, reconcile }: Around,
  watchBy: typeof watchTree = watchTree,
): Promise<Eyes> {
  const cookies = cookiesIn(workspace)
  const rhythm = rhythmOf(async () => {
    // What the watcher told of is recorded first: what is left was missed.
    await worker.idle(workspace.clock.ticks() + PATIENCE_MS)
    await reconcile().catch(failed)
  })
  const gone = missingBelow(memory, path => worker.heard(path))
  const learn = oneAtATime(async () => {
    // What was ignored at the start is handed over first.
    await opening
    tree.ignore((await workspace.git.ask(statusAndIgnored)).ignored)
    rhythm.now()
  })
  const changed = (path: string, isPolled = false): void => {
    if (cookies.take(path) || isRuntimePath(path)) return
    worker.heard(path, isPolled)
    if (!/(^|\/)\.gitignore$/.test(path)) return
    forgetHowGitSees(memory)
    learn().catch(failed)
  }
  const came = (directories: readonly string[]): Promise<string[]> => {
    // Each of them may have taken the place of a file.
    for (const path of directories) if (contentOf(memory, path) !== null) worker.heard(path)
    return ignoredAmong(workspace.root, directories)
  }
  const files = (): Promise<number> => worker.alone(async () => memory.index.size)
  const blind = (directories: number): void => rhythm.hurry(directories > 0)
  const told = { changed, came, vanished: gone.add, overflowed: rhythm.now, blind, failed }
  const opening = watchBy(workspace.root, { globs: watch.ignored, ignored, files, ...told }, watch.backend)
  const tree = await opening
  const index = watchFolder(workspace.gitDir, { changed: name => worker.indexMoved(name), failed })
  return {
    async haveSeenAll(timeoutMs) {
      const seen = await cookies.seen(timeoutMs)
      await atMost(timeoutMs, tree.settled())
      gone.tell()
      return seen
    },
    async [Symbol.asyncDispose]() {
      rhythm[Symbol.dispose]()
      index[Symbol.dispose]()
      await tree[Symbol.asyncDispose]()
    },
  }
}

const PATIENCE_MS = 10_000

function atMost(ms: number, work: Promise<void>): Promise<void> {
  return Promise.race([work, new Promise<void>(resolve => void setTimeout(resolve, ms).unref())])
}
