/**
 * Every length of time on which a decision between git and a person depends. Each says what it stands for, where
 * its value comes from, and which test breaks when it is far from that.
 */

/**
 * The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100): a stamp may be this much too early.
 * Test: index-lock.test.ts, "a lock that was over a tick before is not over yet, by the clock of files".
 */
export const FILE_CLOCK_TICK_MS = 10

/**
 * Within one write, a file's two times (of its content, and of anything at all) differ by less: git writes a file
 * in one go. The times of a file that was moved, linked or given other rights are further apart. Test:
 * index-lock.test.ts; end to end git-by-hand, a folder that is moved as soon as git has written in it.
 */
export const ONE_WRITE_MS = 2

/**
 * Most events of files come within some milliseconds. A later one says that the machine is very busy, or that the
 * daemon stood still: then events of locks are late as well. Test: index-lock.test.ts; end to end
 * late-events (there the daemon is stopped for a second).
 */
export const PROMPT_EVENT_MS = 100

/**
 * No event comes later than this, unless the machine stood still: how long before its event a lock that nobody saw
 * may have been taken. Test: index-locks.test.ts, "a lock that nobody saw come may have had others before it".
 */
export const LATE_EVENT_MS_MAX = 500

/** A lock of the index that is older was left behind by a git that was killed. Test: waits.test.ts. */
export const STALE_LOCK_MS = 60_000

/**
 * A rebase takes some 10 ms from one commit to the next (measured: be74ca6 in kotef's history, where 30 commits
 * were 1.23 times as slow under a daemon that looked after each). Test: waits.test.ts; end to end git-many.
 */
export const REBASE_STEP_MS = 50

/**
 * From a patch on its way to a commit (`git am`, `rebase --apply`) until HEAD's log has that commit. Test:
 * waits.test.ts; end to end git-by-hand, "a patch that becomes a commit is not".
 */
export const PATCH_TO_COMMIT_MS = 1_000

/**
 * What most merges take, where no lock was seen: an older blob was there for the merge to take. Test:
 * timeline.test.ts; end to end git-at-once.
 */
export const MERGE_MS = 30

/**
 * What it takes to write out the result of a merge, where no lock was seen: an older tree was not made by that
 * merge. Test: timeline.test.ts; end to end git-at-once.
 */
export const CHECKOUT_MS = 8

/**
 * From the making of a stash until git takes away what is in it: a hook of references may run in between. Test:
 * slow-refs, the test of a file that is recorded while git puts it into a stash.
 */
export const STASH_TO_REMOVAL_MS = 1_000

/**
 * How long a worktree must be quiet until an epoch ends, and how long each lasts at least: git's traces may be late.
 * Test: epoch.test.ts; end to end fetched and soak.
 */
export const EPOCH_QUIET_MS = 2_000

/**
 * How long nothing must happen in the git directory until a missing file is judged: git removes files before HEAD's
 * log says why, and some hooks of references take a quarter of a second, as that of git-branchless does. Test:
 * slow-refs, every row (its hook takes 150 ms).
 */
export const REMOVAL_QUIET_MS = 300
