import { join } from 'node:path'
import { loadHasher } from '../io/files/hasher.ts'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import { isRebasing } from '../commits/git-operation.ts'
import type { CommitRecord } from '../ledger/commit-record.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { commitsBeforeLedger, commitsBetween, headAndBranches } from './commit-queries.ts'
import { readNoteRecords, writeNotes } from './notes.ts'
import { ANNOTATE_LOCK_WAIT_MS_MAX } from '../timing/thresholds.ts'
import { toKotefError } from '../findings/failure.ts'
import { catchUpLedger } from '../commits/judge-new-commits.ts'
import { parseObject } from '../text/payload.ts'

/**
 * Writes a note with the authors of its lines for each commit of HEAD or a local branch that has none. A caller that
 * watched the worktree (`isWatched`) knows all writes; notes of other callers are checked again by the next one that
 * did. Writes nothing where kotef is not set up. True when a note was written.
 */
export async function annotateCommits(workspace: Workspace, { isWatched }: { isWatched: boolean }): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  if ((await workspace.files.modifiedAt(shared)) === null) return false
  const found = await findNewCommits(workspace, isWatched)
  if (found === null) return false
  const lock = join(shared, 'finalised.lock')
  return withLock(lock, () => writeNewNotes(workspace, found, isWatched), { waitMsMax: ANNOTATE_LOCK_WAIT_MS_MAX })
}

type NewCommits = { readonly commits: readonly string[]; readonly state: AnnotationState }

/** The progress of annotating: every commit between `ends` and the other tips has its note. */
type AnnotationState = {
  /** The commits before the first one that the ledger can know of. */
  readonly ends: readonly string[]
  /** The tips that a caller annotated that had watched the worktree. */
  readonly watched: readonly string[]
  /** The tips that any caller annotated. */
  readonly noted: readonly string[]
}

/**
 * The commits to annotate, and the state to save afterwards; null when there are none. `isWatched` counts for HEAD
 * alone: commits of another branch were watched by the daemon of another worktree.
 */
async function findNewCommits(workspace: Workspace, isWatched: boolean): Promise<NewCommits | null> {
  const { head, branches } = await workspace.git.ask(headAndBranches)
  // A rebase may drop the commits that it is making.
  const isFree = head !== null && !(await gather(workspace, isRebasing(workspace)))
  const state = await readAnnotationState(workspace)
  const own = isFree && isWatched && !state?.watched.includes(head) ? [head] : []
  const all = [...(isFree ? [head] : []), ...branches]
  const others = all.filter(it => !state?.noted.includes(it))
  if (own.length + others.length === 0) return null
  const ends = state?.ends ?? (await commitsBeforeLedger(workspace))
  if (ends === null) return null
  const watched = [...own, ...(state?.watched ?? [])].slice(0, WATCHED_TIPS_MAX)
  const commits = [
    ...(await commitsFrom(workspace, others, [...ends, ...(state?.noted ?? [])])),
    ...(await commitsFrom(workspace, own, [...ends, ...(state?.watched ?? [])])),
  ]
  return { commits: [...new Set(commits)], state: { ends, watched, noted: all } }
}

// More worktrees than anybody uses at a time.
const WATCHED_TIPS_MAX = 100

async function commitsFrom({ git }: Workspace, from: readonly string[], ends: readonly string[]): Promise<string[]> {
  return from.length === 0 ? [] : git.ask(commitsBetween(from, ends))
}

/**
 * Looks again for the authors of commits whose notes know none, because notes came that may know them: those of the
 * commits that a server squashed, for one. True when a note was written.
 */
export async function annotateAgain(workspace: Workspace): Promise<boolean> {
  const state = await readAnnotationState(workspace)
  if (state === null) return false
  await workspace.files.put(annotationStatePath(workspace), JSON.stringify({ ...state, noted: [] }))
  return annotateCommits(workspace, { isWatched: false })
}

/** The commits before the first one that a ledger can know of; null when that is unknown. */
export async function commitsBeforeNotes(workspace: Workspace): Promise<readonly string[] | null> {
  return (await readAnnotationState(workspace))?.ends ?? commitsBeforeLedger(workspace)
}

async function writeNewNotes(
  workspace: Workspace,
  { commits, state }: NewCommits,
  isWatched: boolean,
): Promise<boolean> {
  const before = await readNoteRecords(workspace, commits)
  const wanted = isWatched
    ? commits
    : commits.filter(it => (before.get(it) ?? []).every(note => attributedLineCount(note) === 0))
  const { buildCommitRecords } = await import('./commit-records.ts')
  const records = await buildCommitRecords(workspace, wanted, await loadHasher())
  if (records.size > 0) {
    await writeNotes(workspace, async () =>
      notesToWrite(records, await readNoteRecords(workspace, [...records.keys()])),
    )
  }
  await workspace.files.put(annotationStatePath(workspace), JSON.stringify(state))
  return records.size > 0
}

/** The notes to write: the existing records of each, and the new one if it knows the authors of more lines. */
function notesToWrite(
  newRecords: ReadonlyMap<string, CommitRecord>,
  noted: ReadonlyMap<string, readonly CommitRecord[]>,
): Map<string, string> {
  const notes = new Map<string, string>()
  for (const [commit, record] of newRecords) {
    const existing = noted.get(commit) ?? []
    if (existing.some(it => it.id === record.id || attributedLineCount(it) >= attributedLineCount(record))) continue
    notes.set(commit, [...existing, record].map(it => `${JSON.stringify(it)}\n`).join(''))
  }
  return notes
}

/** The number of lines of a record with a known author. */
function attributedLineCount({ files }: CommitRecord): number {
  const attributed = files.flatMap(it => it.conversations).filter(it => it.contributor.type !== 'unknown')
  return attributed.flatMap(it => it.ranges).reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0)
}

async function readAnnotationState(workspace: Workspace): Promise<AnnotationState | null> {
  const bytes = await workspace.files.read(annotationStatePath(workspace)).catch(() => null)
  const state = parseObject(bytes?.toString('utf8') ?? '')
  return isAnnotationState(state) ? state : null
}

function isAnnotationState(value: unknown): value is AnnotationState {
  const { ends, watched, noted } = (value ?? {}) as AnnotationState
  return [ends, watched, noted].every(it => Array.isArray(it) && it.every(isOidOrParents))
}

// The values become arguments of git, so they must not be options.
function isOidOrParents(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40,64}(\^@)?$/.test(value)
}

function annotationStatePath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'finalised.json')
}

type NotesUpdate = { readonly notify: (line: string) => void }

/** Records the newest writes and writes missing notes; reports what may be missing. True when it wrote a note. */
export async function updateNotes(workspace: Workspace, { notify }: NotesUpdate): Promise<boolean> {
  const { isWatched, behind } = await catchUpLedger(workspace)
  if (behind !== null) notify(`The newest writes may be missing. ${behind}`)
  return annotateCommits(workspace, { isWatched }).catch((thrown: unknown) => {
    notify(`The newest commits have no notes yet. ${toKotefError(thrown).message}`)
    return false
  })
}
