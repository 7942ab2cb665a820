import type { GivenFacts } from './facts.ts'
import { PATCH_TO_COMMIT_MS, REBASE_STEP_MS, STALE_LOCK_MS } from '../../base/thresholds.ts'

/** What says that nothing can be judged yet; ages in milliseconds, null for a file that is not there. */
export type UnsettledFacts = {
  readonly indexLockAgeMs: number | null
  readonly isRebasing: boolean
  /** How long ago something last happened to the index. */
  readonly indexMovedMsAgo: number
  /** The index is another one than was read. */
  readonly indexIsNewer: boolean
  /** The file changed while it was read, or has another stat than it settled with. */
  readonly changedWhileRead: boolean
  readonly status: GivenFacts['status'] | undefined
  /** How old the patch is that git is applying. */
  readonly patchAgeMs: number | null
}

type Wait = { readonly wait: string; readonly when: (facts: UnsettledFacts) => boolean }

/** Every reason to judge later. While a git command runs nothing is judged; the others are about single paths. */
const WAITS: readonly Wait[] = [
  { wait: 'index-locked', when: it => it.indexLockAgeMs !== null && it.indexLockAgeMs < STALE_LOCK_MS },
  { wait: 'rebase-between-steps', when: it => it.isRebasing && it.indexMovedMsAgo < REBASE_STEP_MS },
  // How git sees a path says nothing next to an index that was read before.
  { wait: 'index-is-newer', when: it => it.indexIsNewer },
  { wait: 'changed-while-read', when: it => it.changedWhileRead },
  // Between a patch and its commit nothing says whose the staged lines are.
  {
    wait: 'patch-before-commit',
    when: it => it.status === 'staged' && it.patchAgeMs !== null && it.patchAgeMs < PATCH_TO_COMMIT_MS,
  },
]

/** The first reason to wait that the given facts are; null when there is none. */
export function waitFor(facts: Partial<UnsettledFacts>): string | null {
  return WAITS.find(it => it.when({ ...SETTLED, ...facts }))?.wait ?? null
}

const SETTLED: UnsettledFacts = {
  indexLockAgeMs: null,
  isRebasing: false,
  indexMovedMsAgo: Infinity,
  indexIsNewer: false,
  changedWhileRead: false,
  status: undefined,
  patchAgeMs: null,
}
