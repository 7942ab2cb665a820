import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readWindows } from '../agent-activity/windows.ts'
import { intervalsSince, type LockInterval } from '../../../core/authorship/change-origin/index-lock.ts'
import { waitFor } from '../../../core/authorship/change-origin/waits.ts'
import type { GitQuery } from '../../../core/git/query.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { filteredOidReader } from './content-age.ts'
import { readCommittedElsewhere } from './committed-elsewhere.ts'
import type { IndexLocks } from './index-locks.ts'
import { wasPackedSince } from './object-age.ts'
import { Reflog } from './reflog.ts'
import { Stashes } from './stashes.ts'
import type { GitTraces, Noticed, GitEvidence } from './evidence.ts'

/** Begins to follow what git leaves behind; without `locks`, it is not known when git held the index. */
export function followGit(
  { workspace, blobs, state }: Pick<GitTraces, 'workspace' | 'blobs' | 'state'>,
  locks: IndexLocks | null = null,
): GitTraces {
  const reflog = new Reflog(workspace, state, time => locks?.lockedAt(time) ?? null)
  const stashes = new Stashes(workspace, state)
  return {
    workspace,
    state,
    blobs,
    locks,
    reflog,
    stashes,
    saw: name => (reflog.saw(name), locks?.saw(name) ?? false),
    epochClosed: () => (reflog.epochClosed(), stashes.epochClosed()),
  }
}

/** What can be said of git's work now. */
export function evidenceNow(
  { workspace, state, blobs, stashes, reflog, locks }: GitTraces,
  { intervals, eventAt = () => null, judged = () => {} }: Noticed = {},
): GitEvidence {
  const filters = once(async () => filteredOidReader(workspace, state.settings))
  const history = once(() => reflog.read())
  return {
    workspace,
    state,
    blobs,
    stashes,
    eventAt,
    judged,
    history,
    intervals: () => intervals ?? locks?.all() ?? [],
    committedElsewhere: once(async () => readCommittedElsewhere(workspace, state.epoch.began.at, await history())),
    popped: once(() => stashes.popped()),
    filteredOid: async (path, bytes) => (await filters())(path, bytes),
    isPackedInEpoch: once(() => wasPackedSince(workspace, state.epoch.began.at)),
    isSparse: once(() => isSparseCheckout(workspace)),
    windows: once(() => readWindows(workspace)),
    isMidOperation: once(() => isMidOperation(workspace)),
  }
}

/** Whether git may have been at work since a time, as far as its files show now. */
export function gitWorkedSince({ intervals }: Pick<GitEvidence, 'intervals'>): (time: number) => boolean {
  const newest = intervals().reduce<LockInterval | null>((one, other) => (one && one.to > other.to ? one : other), null)
  return time => newest !== null && intervalsSince([newest], time).length > 0
}

/** Why nothing is judged now: a git command is at work. Null when none is. */
export async function waitForGit({ gitDir, clock }: Workspace, indexMovedMsAgo: number): Promise<string | null> {
  const statOf = (name: string) => stat(join(gitDir, name)).catch(() => null)
  const lock = await statOf('index.lock')
  const indexLockAgeMs = lock && clock.now() - lock.mtimeMs
  return waitFor({ indexLockAgeMs, indexMovedMsAgo, isRebasing: (await statOf('rebase-merge')) !== null })
}

/** How old the patch or the commit is that git is applying; null when there is none. */
export async function patchAgeMs({ files, gitDir, clock }: Workspace): Promise<number | null> {
  const times = await Promise.all(APPLIED_FILES.map(it => files.modifiedAt(join(gitDir, it))))
  const newest = Math.max(...times.map(it => it ?? -Infinity))
  return newest === -Infinity ? null : clock.now() - newest
}

// Of a pick git writes the name before the hooks of its commit run, and removes it after that commit.
const APPLIED_FILES = ['rebase-apply/patch', 'CHERRY_PICK_HEAD']

/** When a folder above a path was last moved, or given other rights, after a time; null when none was. */
export async function folderMovedAt({ root }: Workspace, path: string, time: number): Promise<number | null> {
  // Whatever is put into a folder changes both times; git moves none.
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    const found = await stat(join(root, folder)).catch(() => null)
    if (found && found.ctimeMs > time && found.ctimeMs > found.mtimeMs) return found.ctimeMs
  }
  return null
}

async function isMidOperation({ files, gitDir }: Workspace): Promise<boolean> {
  const times = await Promise.all(OPERATION_FILES.map(it => files.modifiedAt(join(gitDir, it))))
  return times.some(it => it !== null)
}

const OPERATION_FILES = 'MERGE_HEAD SQUASH_MSG CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply'.split(' ')

/** Whether the worktree may leave out files that the index has. */
export async function isSparseCheckout({ git }: Workspace): Promise<boolean> {
  return (await git.tryAsk(SPARSE)) ?? false
}

const SPARSE: GitQuery<boolean> = {
  args: ['config', '--type=bool', '--get', 'core.sparseCheckout'],
  parse: out => out.startsWith('true'),
}

/** Asks when the answer is first wanted, and never again. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null
  return () => (answer ??= ask())
}
