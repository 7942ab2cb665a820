import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { blobsOf } from '../io/blobs.ts'
import { KotefError } from '../report/failure.ts'
import { outsideOf } from '../scope/globs.ts'
import { flushDaemon } from '../workspace/daemon-address.ts'
import { loadConfig } from '../workspace/policy.ts'
import { holdPost, type Post } from '../workspace/post.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { lookAround, takeStock } from './baseline.ts'
import { ALWAYS } from './brackets.ts'
import { gitActivity, gitIsAtWork, tracesOf } from './git-activity.ts'
import { cursorOf, emptyMemory, oidsIn, saveCursor } from './memory.ts'
import { observe } from './observe.ts'
import { observerOf, type Observer } from './observer.ts'
import { pruneSnapshots } from './snapshots.ts'

/** Has everything recorded that was written before the call: in place of a daemon, or by one that has just come. */
export async function recordUnwatched(workspace: Workspace): Promise<void> {
  const until = workspace.clock.ticks() + WAIT_MS_MAX
  for (;;) {
    const post = await holdPost(workspace).catch(unlessHeld)
    if (post) return recordAt(workspace, post)
    if (await flushDaemon(workspace, WAIT_MS_MAX)) return
    if (workspace.clock.ticks() > until) throw new KotefError('ledger-busy', 'Another kotef is recording.')
    await delay(WAIT_MS)
  }
}

const WAIT_MS_MAX = 10_000
const WAIT_MS = 10

function unlessHeld(thrown: unknown): null {
  if (thrown instanceof KotefError && thrown.code === 'daemon-running') return null
  throw thrown
}

/** Holds the one post of a worktree meanwhile, so that nobody else records the same. */
async function recordAt(workspace: Workspace, held: Post): Promise<void> {
  await using _post = held
  await using blobs = blobsOf(workspace.root, { atHand: true })
  const { text_bytes_max: textBytesMax, ignored } = (await loadConfig(workspace)).watch
  const memory = emptyMemory()
  const observer = await observerOf(workspace, memory, { blobs, textBytesMax, failed: () => {} })
  const view = await lookAround(workspace)
  const { missed, since } = await takeStock(workspace, memory, { view, textBytesMax })
  const torn = await recordAll(observer, missed.filter(outsideOf(ignored)), since)
  if (torn.length === 0 && !(await gitIsAtWork(workspace, Infinity))) memory.period.rested(view.looked)
  await saveCursor(workspace, await cursorOf(workspace, memory))
  await pruneSnapshots(workspace, oidsIn(memory))
}

/** Records what somebody wrote; answers what was still being written. */
async function recordAll(
  observer: Observer,
  missed: readonly string[],
  since: string | null,
): Promise<readonly string[]> {
  const { workspace } = observer
  const brackets = (await gitWorkedSince(workspace, since)) ? [ALWAYS] : []
  const traces = tracesOf(observer)
  await traces.stashes.begin()
  let paths = missed
  for (let n = 0; n < LOOKS_MAX && paths.length > 0; n++) {
    if (n > 0) await delay(WAIT_MS)
    const activity = gitActivity(workspace, { brackets: () => brackets }, traces)
    paths = (await observe(observer, { paths, activity, source: 'hook' })).torn
  }
  return paths
}

// A file that is still being written is left for the next look.
const LOOKS_MAX = 5

// Whatever changes files that git tracks takes the lock of the index, and most of it leaves another index.
async function gitWorkedSince({ files, gitDir }: Workspace, since: string | null): Promise<boolean> {
  const at = await files.modifiedAt(join(gitDir, 'index'))
  return since === null || at === null || at >= Date.parse(since) - TICK_MS
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10
