import { unwatchedGlobs } from '../../../core/intents/config.ts'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openBlobs } from '../../io/git/blobs.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { UNKNOWN_INTERVAL } from '../../../core/authorship/change-origin/index-lock.ts'
import { FILE_CLOCK_TICK_MS } from '../../../core/base/thresholds.ts'
import { matchesNone } from '../../../core/base/globs.ts'
import { flushDaemon } from '../../io/daemon-client/ask-daemon.ts'
import { loadConfig } from '../../intents/policy/load-policy.ts'
import { acquireDaemonLock, type DaemonLock } from '../../io/daemon-client/daemon-lock.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { scanWorktree, loadBaseline } from './baseline.ts'
import { evidenceNow, followGit, waitForGit } from '../git-evidence/git-evidence.ts'
import { checkpointText, saveCheckpoint } from './checkpoint.ts'
import { emptyState, knownOids } from './worktree-state.ts'
import { recordSettingChanges } from './git-settings.ts'
import { observe } from './observe.ts'
import { type RecorderContext, recorderContextOf } from './recorder-context.ts'
import { pruneSnapshots } from './snapshots.ts'
import { ONE_SHOT_RECHECK_MS, ONE_SHOT_WAIT_MS_MAX } from '../../../core/base/thresholds.ts'

/** Records everything written before the call, without a daemon; if one has just started, the daemon does it. */
export async function recordWithoutDaemon(workspace: Workspace): Promise<void> {
  const until = workspace.clock.ticks() + ONE_SHOT_WAIT_MS_MAX
  for (;;) {
    const daemonLock = await acquireDaemonLock(workspace).catch(nullIfHeld)
    if (daemonLock) return recordUnderLock(workspace, daemonLock)
    if (await flushDaemon(workspace, ONE_SHOT_WAIT_MS_MAX)) return
    if (workspace.clock.ticks() > until) throw new KotefError('ledger-busy', 'Another kotef is recording.')
    await delay(ONE_SHOT_RECHECK_MS)
  }
}

function nullIfHeld(thrown: unknown): null {
  if (thrown instanceof KotefError && thrown.code === 'daemon-running') return null
  throw thrown
}

/** Holds the daemon lock meanwhile, so that no other process records the same. */
async function recordUnderLock(workspace: Workspace, held: DaemonLock): Promise<void> {
  await using _daemonLock = held
  await using blobs = openBlobs(workspace.root, { localOnly: true })
  const { watch } = await loadConfig(workspace)
  const { text_bytes_max: textBytesMax } = watch
  const state = emptyState()
  const context = await recorderContextOf(workspace, state, { blobs, textBytesMax, halt: NEVER, failed: () => {} })
  const scan = await scanWorktree(workspace)
  const { missed, since } = await loadBaseline(workspace, state, { scan, textBytesMax })
  await recordSettingChanges(context)
  const torn = await recordMissed(context, missed.filter(matchesNone(unwatchedGlobs(watch))), since)
  if (torn.length === 0 && (await waitForGit(workspace, Infinity)) === null) state.epoch.close(scan.observedAt)
  await saveCheckpoint(workspace, await checkpointText(workspace, state))
  await pruneSnapshots(workspace, knownOids(state))
}

/** Records writes. Returns the paths that were still being written. */
async function recordMissed(
  context: RecorderContext,
  missed: readonly string[],
  since: string | null,
): Promise<readonly string[]> {
  const { workspace } = context
  const intervals = (await indexMovedSince(workspace, since)) ? [UNKNOWN_INTERVAL] : []
  const traces = followGit(context)
  await traces.stashes.begin()
  let paths = missed
  for (let n = 0; n < INSPECTIONS_MAX && paths.length > 0; n++) {
    if (n > 0) await delay(ONE_SHOT_RECHECK_MS)
    const evidence = evidenceNow(traces, { intervals })
    paths = (await observe(context, { paths, evidence, source: 'hook' })).torn
  }
  return paths
}

// A command of a person or a hook waits for what it records.
const NEVER = new AbortController().signal

// A file that is still being written is inspected again later.
const INSPECTIONS_MAX = 5

// A git command that changes tracked files locks the index, and most such commands change it.
async function indexMovedSince({ files, gitDir }: Workspace, since: string | null): Promise<boolean> {
  const at = await files.modifiedAt(join(gitDir, 'index'))
  return since === null || at === null || at >= Date.parse(since) - FILE_CLOCK_TICK_MS
}
