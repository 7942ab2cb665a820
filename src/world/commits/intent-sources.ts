import { type Gatherer, tryAskGit } from '../../core/git/gatherer.ts'
import { type PathChange, stagedChanges } from '../../core/git/changes.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { commitAndParents } from '../../core/git/revisions.ts'
import { intentsWritten } from '../../core/ledger/written-intents.ts'
import { REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { IntentSources, WrittenIntents } from '../../core/rules/resolve-intents.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'
import { currentBranch, intentStartedOn } from '../intents/sessions/branch-intent.ts'
import { SAME_MOMENT_MS } from '../../core/base/thresholds.ts'
import { autosquashTarget, type CitingCommit, citingCommits, targetCommit } from '../../core/git/trailers/autosquash.ts'

/** The commit that is about to be made: as git describes it to its hooks. */
export type PendingCommit = {
  /** The top of the worktree; empty in a hook, which git starts there. */
  readonly root: string
  readonly gitDir: string
  /** The name, address and date of the author, as git gives them to its hooks; null when it does not. */
  readonly author: string | null
  readonly now: number
  /** UTF-8; empty while there is no message. */
  readonly message: string
  readonly changes: readonly PathChange[]
}

/** The sources of a pending commit's intents, for git's hooks and for everybody who asks beforehand. */
export function intentSources(
  commit: PendingCommit,
  known: Pick<IntentSources, 'cited' | 'live' | 'byAgent'>,
): IntentSources {
  return {
    ...known,
    source: () => sourceIntents(commit),
    written: paths => writtenIntents(commit, paths),
    branch: passedOver => branchIntents(commit, passedOver),
  }
}

function* sourceIntents(commit: PendingCommit): Gatherer<readonly string[]> {
  const target = autosquashTarget(commit.message)
  if (target !== null) {
    const commits = (yield* tryAskGit(citingCommits(['HEAD'], SQUASH_TARGETS_MAX))) ?? []
    return targetCommit(target, commits)?.cited ?? []
  }
  if (!(yield* amendsHead(commit))) return []
  return (yield* tryAskGit(citingCommits(['HEAD'], 1)))?.[0]?.cited ?? []
}

// git looks for the target of a fixup among the commits of a rebase, which are fewer.
const SQUASH_TARGETS_MAX = 200

/**
 * True when the pending commit amends HEAD. Git gives its hooks only the author and the date: with `--amend` that is
 * HEAD's author. A commit made in the same moment as HEAD can have equal ones; with changes it counts as a new commit.
 */
export function* amendsHead({
  author,
  now,
  changes,
}: Pick<PendingCommit, 'author' | 'now' | 'changes'>): Gatherer<boolean> {
  const seconds = Number(/@(\d+)/.exec(author ?? '')?.[1])
  if (author === null || Number.isNaN(seconds)) return false
  if (changes.length > 0 && Math.abs(now - seconds * 1000) < SAME_MOMENT_MS) return false
  return (yield* tryAskGit(headAuthor)) === author
}

/**
 * What a commit that amends HEAD takes over from it, where it no longer cites one of its intents, or HEAD cites none: a
 * push will judge all of it by the new message.
 */
export function* gatherTakenOver(changes: readonly PathChange[], cited: readonly string[]): Gatherer<PathChange[]> {
  const [head] = (yield* tryAskGit(citingCommits(['HEAD'], 1))) ?? []
  const isAlike = head?.cited.every(it => cited.includes(it)) && (head.cited.length > 0 || head.governs)
  if (head === undefined || isAlike) return []
  const [, , ...otherParents] = (yield* tryAskGit(commitAndParents('HEAD'))) ?? []
  const whole = otherParents.length > 0 ? [] : ((yield* tryAskGit(stagedChanges('HEAD^'))) ?? [])
  return whole.filter(it => !changes.some(change => change.path === it.path))
}

/** The changes of HEAD, where the pending commit amends it and it cites no intent: they are for the same intents. */
export function* gatherUncited(commit: PendingCommit): Gatherer<PathChange[]> {
  if (!(yield* amendsHead(commit))) return []
  const [head] = (yield* tryAskGit(citingCommits(['HEAD'], 1))) ?? []
  return head?.cited.length === 0 && !head.governs ? yield* gatherTakenOver(commit.changes, []) : []
}

/** True when the pending commit amends the one that brought the registry into the history. */
export function* amendsAdoption(commit: Parameters<typeof amendsHead>[0]): Gatherer<boolean> {
  if (!(yield* amendsHead(commit))) return false
  const here = yield* tryAskGit(registryIn('HEAD'))
  const before = yield* tryAskGit(registryIn('HEAD^'))
  return here === true && before !== true
}

function registryIn(revision: string): GitQuery<boolean> {
  return { args: ['ls-tree', '--full-tree', '--name-only', revision, '--', REGISTRY_PATH], parse: out => out !== '' }
}

const headAuthor: GitQuery<string> = {
  args: ['log', '-1', '--encoding=UTF-8', '--date=raw', '--format=%an%x00%ae%x00@%ad', 'HEAD'],
  parse: out => out.trim(),
}

function* writtenIntents(commit: PendingCommit, paths: readonly string[]): Gatherer<WrittenIntents> {
  const wanted = commit.changes.filter(it => paths.includes(it.path))
  if (wanted.length === 0) return new Map()
  return intentsWritten(yield* readLedgerEnd(commit), wanted)
}

function* branchIntents(commit: PendingCommit, passedOver: readonly string[]): Gatherer<string[]> {
  const branch = yield* currentBranch(commit)
  if (branch === null) return []
  const started = yield* intentStartedOn(commit, branch)
  return [started, ...(yield* lastCited(branch, passedOver))].filter(it => it !== null)
}

function* lastCited(branch: string, passedOver: readonly string[]): Gatherer<readonly string[]> {
  const bases = TRUNKS.includes(branch) ? [] : ['--not', ...TRUNKS, ...REMOTE_TRUNKS]
  const commits: readonly CitingCommit[] = (yield* tryAskGit(citingCommits(['HEAD', ...bases], OWN_COMMITS_MAX))) ?? []
  return commits.find(({ cited }) => cited.some(it => !passedOver.includes(it)))?.cited ?? []
}

// A branch that left one of these has own commits; any other branch is compared with them as well.
const TRUNKS = ['refs/heads/main', 'refs/heads/master']
const REMOTE_TRUNKS = ['refs/remotes/origin/main', 'refs/remotes/origin/master', 'refs/remotes/origin/HEAD']
const OWN_COMMITS_MAX = 50
