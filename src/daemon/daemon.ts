import { blobsOf } from '../io/blobs.ts'
import { loadHasher } from '../io/hash.ts'
import type { Config } from '../intents/config.ts'
import { untracedIn } from '../recording/memory.ts'
import { cachedPolicy } from '../recording/policy-cache.ts'
import { strayPaths } from '../recording/reconcile.ts'
import { record } from '../workspace/record.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { announceStart, takeBaseline } from './baseline.ts'
import { openEyes } from './eyes.ts'
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
  const policyAt = cachedPolicy(workspace)
  const observer = { workspace, memory, hasher: await loadHasher(), blobs, textBytesMax, policyAt }
  const news = newsTo(tell)
  const worker = new Worker(observer, { patience: { quietMs, waitMsMax: WAIT_MS_MAX }, reports: news })
  await announceStart(workspace, baseline)
  await using eyes = await openEyes(worker, { workspace, ignoredGlobs: config.watch.ignored, failed: news.failed })

  using historian = openHistorian(workspace, news)
  const catchUp = async (source: 'catch-up' | 'reconcile'): Promise<void> => {
    for (const path of await strayPaths(workspace, memory)) worker.noticed(path, source)
    await worker.idle()
  }
  for (const path of missed) worker.noticed(path, 'catch-up')
  await catchUp('catch-up')
  await using _keeper = await keepMemory(observer)
  await using _door = await openDoor(workspace, {
    status: () => ({ running: true, pid: workspace.clock.pid, untraced: untracedIn(memory) }),
    async flush(timeoutMs) {
      const seen = await eyes.haveSeenAll(timeoutMs)
      await worker.idle()
      await catchUp('reconcile')
      await historian.caughtUp()
      return seen
    },
    stop: () => stop.abort(),
    listen: news.listen,
  })
  tell({ event: 'ready', pid: workspace.clock.pid, missed: missed.length, preexisting })
  await aborted(stop.signal)
  await catchUp('reconcile')
  await record(workspace, [{ event: { event: 'daemon-stopped', pid: workspace.clock.pid } }])
  tell({ event: 'stopped' })
}

// A file that is written without a pause is recorded this often all the same.
const WAIT_MS_MAX = 2_000

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
