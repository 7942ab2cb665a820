/**
 * Every length of time that a room other than a shell knows. First those on which a decision between git and a person
 * depends: each says what it stands for, where its value comes from, and which test breaks when it is far from that.
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
 * From a patch or a picked commit on its way to a commit (`git am`, `rebase --apply`, `cherry-pick`) until HEAD's log
 * has that commit: git's hooks run in between. Test: waits.test.ts; end to end picked, and git-by-hand, "a patch that
 * becomes a commit is not".
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

// No decision between git and a person depends on what follows: how long kotef waits, and how long files count.

/** How long a recording without a daemon waits for git or for a torn file; a person or an agent waits for it. */
export const ONE_SHOT_WAIT_MS_MAX = 10_000

/** The pause between two looks in that time. */
export const ONE_SHOT_RECHECK_MS = 10

/** The longest window of a write. A write takes milliseconds, but a person may have to allow it first. */
export const WRITE_WINDOW_MS_MAX = 60_000

/** The longest window of a command. An hour is a guess at the longest test run; a lost end has no other limit. */
export const EXECUTE_WINDOW_MS_MAX = 3_600_000

/** How long an announcement by an unrelated process counts: it may be of another agent's call. */
export const UNRELATED_ANNOUNCEMENT_MS_MAX = 30_000

/**
 * The age limit of an announcement: between the hook and the call, the agent may wait for a person's permission for
 * ten minutes.
 */
export const ANNOUNCEMENT_MS_MAX = 600_000

/** How often a daemon that starts tries to get its lock: an agent's hook holds it for some 100 ms. */
export const DAEMON_LOCK_RETRY_MS = 10

/** How long a daemon that started itself goes on without a session, a client and a write. */
export const AUTOSTART_IDLE_MS = 3_600_000

/** After that, a daemon that started itself runs, or has failed to start. */
export const AUTOSTART_MS_MAX = 5_000

/** How long a new session waits for the daemon that it starts. Most daemons are ready within half a second. */
export const AUTOSTART_WAIT_MS_MAX = 1_000

/** How long a daemon may be silent beyond the time that a question gives it. It answers within milliseconds. */
export const DAEMON_SILENCE_MS_MAX = 3_000

/** How long an agent's hook waits for the daemon: 2 s for a file written without a pause, 1 s to record it. */
export const DAEMON_SETTLE_MS_MAX = 3_000

/** The wait for the lock of the catalogue: the first one of a ledger of a million lines takes some seconds. */
export const CATALOGUE_LOCK_WAIT_MS_MAX = 30_000

/** Above this size of the ledger's file, the daemon compresses its beginning. */
export const LEDGER_FILE_BYTES_MAX = 48 * 2 ** 20

/** How much of its end is left as it is. The hooks and the ids of new intents read the last 16 MB without the parts. */
export const LEDGER_PLAIN_BYTES = 16 * 2 ** 20

/** How much of a ledger one compressed part holds: to read one line of it takes about 5 ms. */
export const LEDGER_PART_BYTES = 2 ** 19

/** How long a command that reads waits for the ledger's lock, to restore its name: it can read it without. */
export const RESTORE_LOCK_WAIT_MS_MAX = 1_000

/** The age limit of a record that a late claim may name: an older one may be another author's write. */
export const LATE_CLAIM_MS_MAX = 10_000

/** The age at which an unreadable window file is damaged: a younger one may be a window that is being opened. */
export const UNREADABLE_WINDOW_MS_MAX = 60_000

/** How long an agent's hook waits for a flush. Hooks have a limit of a minute or less; most flushes take 100 ms. */
export const HOOK_FLUSH_WAIT_MS_MAX = 10_000

/** The time without a write after which the daemon has observed a file: it waits 2 s at most. */
export const OBSERVED_AFTER_MS = 5_000

/** The wait for the lock of judged commits: another worktree may judge UNJUDGED_COMMITS_MAX commits. */
export const JUDGED_LOCK_WAIT_MS_MAX = 30_000

/** How long a command waits for a flush before it reads: a daemon records a large checkout in less. */
export const CATCH_UP_FLUSH_WAIT_MS_MAX = 5_000

/** How often a session's heartbeat is saved: claims expire after minutes or hours (`claims_ttl_minutes`). */
export const HEARTBEAT_MS = 60_000

/** The wait for the lock of the sessions: its holder may have to judge new commits and to edit the registry. */
export const SESSIONS_LOCK_WAIT_MS_MAX = 30_000

/** The age at which a temporary file is a leftover: any write takes less than an hour. */
export const TEMPORARY_FILE_MS_MAX = 3_600_000

/** The age (30 days) at which what a session left is removed: a person no longer looks for it. */
export const LEFTOVER_MS_MAX = 30 * 24 * TEMPORARY_FILE_MS_MAX

/** How long `kotef status` waits for a flush: the default of `kotef flush`. */
export const STATUS_FLUSH_WAIT_MS_MAX = 10_000

/** The pause between two polls of a small tree: two polls a second cost little. */
export const POLL_MS_MIN = 500

/** Files that are polled in a millisecond, so that a stat (5 microseconds) takes at most a tenth of a core. */
export const FILES_POLLED_PER_MS = 20

/** Two changes of a directory within one tick of its disk's clock have the same time: FAT ticks every two seconds. */
export const CHANGE_TICK_MS_MAX = 3_000

/** The pause between two polls of git's own folder, where no event comes. The folder is small. */
export const GIT_DIR_POLL_MS = 200

/**
 * The age at which a lock without a holder is damaged. kotef's locks appear with their content, so another program
 * wrote it, and may still be writing.
 */
export const EMPTY_LOCK_MS_MAX = 2_000

/** The wait for the lock of the notes: the first run may annotate thousands of commits. */
export const ANNOTATE_LOCK_WAIT_MS_MAX = 120_000

/** The same of a question that a person asks: it answers with what there is. */
export const QUESTION_LOCK_WAIT_MS_MAX = 20_000

/** How long git may take to fetch the first notes of a clone: some 50,000 of them come within it. */
export const FIRST_NOTES_MS_MAX = 15_000

/** A wait that somebody notices, so that its reason is printed: about the time after which attention wanders. */
export const NOTICED_WAIT_MS = 1_000

/** Clones that push notes at the same moment pause at random before they try again: at first this long. */
export const SYNC_RETRY_PAUSE_MS = 50

/**
 * Dates of commits have whole seconds. A commit whose author date is that of HEAD, and further than this from now, has
 * HEAD's author date because it amends HEAD. Test: intent-sources.test.ts, "of the same moment".
 */
export const SAME_MOMENT_MS = 3_000

/** How long an agent's hook waits for the lock of its session's run. Parallel calls hold it for some milliseconds. */
export const RUN_LOCK_WAIT_MS_MAX = 500

/** How long kotef waits for the lock of the lessons with one of its own: the work goes on without it. */
export const LESSON_LOCK_WAIT_MS_MAX = 1_000

/** How long a writer of a handover session waits for the others: each holds the lock for some tens of milliseconds. */
export const HANDOVER_LOCK_MS_MAX = 30_000

/** How long a text may be parsed, and its declarations compared: a file of 1 MiB takes about a second. */
export const PARSE_MS_MAX = 2_000

/** How much longer the first text may take: Node and the grammar are loaded before, on a busy machine. */
export const PARSER_START_MS_MAX = 5_000

/** How long a process waits for another one that makes the map: the first time, every file of the tree is parsed. */
export const MAP_LOCK_WAIT_MS_MAX = 600_000

/** After how long without a sign of life a session's changes are no conflict for others. A claim gets stale then. */
export const SILENT_SESSION_MS = 240 * 60_000
/** How long a run of the daemon's child classifies changes: those that are left have no class. */
export const CLASSIFY_RUN_MS_MAX = 20_000

/** How long a forge may take for one answer; most come within a second. */
export const FORGE_ANSWER_MS_MAX = 20_000

/** The pause before a forge that failed is asked again. */
export const FORGE_RETRY_MS = 1_000

/** The longest pause that a forge may ask for: a pipeline costs money while it waits. */
export const FORGE_RETRY_MS_MAX = 60_000

/** The first pause before telemetry is sent again to a receiver that failed; each further one is twice as long. */
export const EXPORT_PAUSE_MS = 1_000

/** The longest such pause that kotef chooses by itself. */
export const EXPORT_PAUSE_MS_MAX = 60_000

/** The longest pause that a receiver may ask for. */
export const EXPORT_RETRY_AFTER_MS_MAX = 600_000

/** How long an export that does not follow the ledger pauses in a row, in all, until it gives up. */
export const EXPORT_GIVE_UP_MS = 300_000

/** How long a receiver may take for one answer, whatever it sends meanwhile. The exporter's own limit is shorter. */
export const EXPORT_ANSWER_MS_MAX = 60_000

/** How often an export that follows the ledger looks for new records. */
export const EXPORT_POLL_MS = 1_000

/** How often it sends the counters. */
export const EXPORT_METRICS_MS = 10_000

/** How often a program that goes on running looks whether its worktree is still there. */
export const WORKTREE_CHECK_MS = 500

/** So many changed paths at once may be the removal of the repository: the daemon waits until it is over. */
export const SWEEP_PATHS_MIN = 1_000

/** The time without a change after which it is over. */
export const SWEEP_REST_MS = 400

/** How long the daemon waits for that at most. */
export const SWEEP_MS_MAX = 60_000

/** How long a worktree may be absent: `mv .git old; mv new/.git .git`. */
export const WORKTREE_REPLACING_MS = 100

/** How long a command waits for the end of a daemon, which ends within a second unless the machine is busy. */
export const DAEMON_STOP_MS_MAX = 15_000
