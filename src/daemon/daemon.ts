import { blobsOf } from '../io/blobs.ts'
import { loadHasher } from '../io/hash.ts'
import type { Config } from '../intents/config.ts'
import { cachedHead } from '../recording/head-cache.ts'
import { untracedIn } from '../recording/memory.ts'
import { cachedPolicy } from '../recording/policy-cache.ts'
import { strayPaths } from '../recording/reconcile.ts'
import { record } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { announceStart, takeBaseline } from './baseline.ts'
import { openEyes } from './eyes.ts'
import { guardPlace } from './guard.ts'
import { keepMemory } from './keeper.ts'
import { openHistorian } from './historian.ts'
import { type DaemonEvent, newsTo } from './news.ts'
import { holdPost } from './post.ts'
import { openDoor } from './server.ts'
import { Worker } from './worker.ts'

/** Watches a worktree and records what is written, until it is told to stop. One per worktree. */
export async function runDaemon(
  workspace: Workspace,
  { config, tell, stop }: { config: Config; tell: (event: DaemonEvent) => void; stop: AbortController },
): Promise<void> {
  await using _post = await holdPost(workspace)
  await using blobs = blobsOf(workspace.root)
  const { settle_ms: quietMs, text_bytes_max: textBytesMax } = config.watch
  const baseline = await takeBaseline(workspace, textBytesMax)
  const { memory, missed, preexisting } = baseline
  const news = newsTo(tell, workspace.clock.now)
  const policyAt = cachedPolicy(workspace, news.failed)
  const head = cachedHead(workspace)
  const observer = { workspace, memory, hasher: await loadHasher(), blobs, textBytesMax, policyAt, head }
  using worker = new Worker(observer, { patience: { quietMs, waitMsMax: WAIT_MS_MAX }, reports: news })
  await announceStart(workspace, baseline)
  await using eyes = await openEyes(worker, { workspace, ignoredGlobs: config.watch.ignored, failed: news.failed })
  using historian = await openHistorian(workspace, news)
  const catchUp = async (source: 'catch-up' | 'reconcile', until: number): Promise<boolean> => {
    for (const path of await strayPaths(workspace, memory)) worker.noticed(path, source)
    return worker.idle(until)
  }
  const soon = (ms: number): number => workspace.clock.now() + ms

  for (const path of missed) worker.noticed(path, 'catch-up')
  await catchUp('catch-up', soon(START_MS_MAX))
  await using _keeper = await keepMemory(observer)
  await using _door = await openDoor(workspace, {
    status: () => ({ running: true, pid: workspace.clock.pid, untraced: untracedIn(memory) }),
    async flush(timeoutMs) {
      const [began, until] = [soon(0), soon(timeoutMs)]
      // The cookie shows that the watcher has spoken; what it may have missed, the reconciliation finds.
      await eyes.haveSeenAll(Math.min(timeoutMs / 2, COOKIE_MS_MAX))
      const flushed = (await worker.idle(until)) && (await catchUp('reconcile', until))
      await historian.caughtUp()
      const problem = news.problemSince(began)
      return { flushed, ...(flushed || problem === undefined ? {} : { problem }) }
    },
    stop: () => stop.abort(),
    listen: news.listen,
  })
  using _guard = guardPlace(workspace, () => stop.abort())
  tell({ event: 'ready', pid: workspace.clock.pid, missed: missed.length, preexisting })
  await aborted(stop.signal)
  await catchUp('reconcile', soon(STOP_MS_MAX)).catch(news.failed)
  const stopped = { event: 'daemon-stopped', pid: workspace.clock.pid } as const
  await record(workspace, [{ event: stopped }]).catch(news.failed)
  tell({ event: 'stopped' })
}

// Whatever is in the way, the daemon is ready and stops within a time that somebody will wait for.
const START_MS_MAX = 10_000
const STOP_MS_MAX = 5_000
const COOKIE_MS_MAX = 2_000

// A file that is written without a pause is recorded this often all the same.
const WAIT_MS_MAX = 2_000

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
