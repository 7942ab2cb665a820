import { join } from 'node:path'
import { loadHasher } from '../io/files/hasher.ts'
import { withLock } from '../io/files/lock.ts'
import type { CommitRecord } from '../ledger/commit-record.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { commitsBeforeLedger, commitsBetween, headAndBranches } from './commit-queries.ts'
import { readNoteRecords, writeNotes } from './notes.ts'

/**
 * Puts a note on each commit of a local branch, or of HEAD, that has none: whom its lines are from. Who has watched
 * (`isWatched`) knows all that was written; what others note is looked at again by the next one who has. Nothing is
 * noted where kotef is not set up. True when a note was written.
 */
export async function annotateCommits(workspace: Workspace, { isWatched }: { isWatched: boolean }): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  if ((await workspace.files.modifiedAt(shared)) === null) return false
  const found = await findNewCommits(workspace, isWatched)
  if (found === null) return false
  const lock = join(shared, 'finalised.lock')
  return withLock(lock, () => writeNewNotes(workspace, found, isWatched), { waitMsMax: ANNOTATE_LOCK_WAIT_MS_MAX })
}

// The first time there may be thousands of commits to note.
const ANNOTATE_LOCK_WAIT_MS_MAX = 120_000

type NewCommits = { readonly commits: readonly string[]; readonly state: AnnotationState }

/** Up to where every commit has its note: the commits before any that the ledger knows of, and tips. */
type AnnotationState = {
  readonly ends: readonly string[]
  /** Where HEAD was when who had watched it noted what it has. */
  readonly watched: readonly string[]
  /** Noted by anybody. */
  readonly noted: readonly string[]
}

/**
 * The commits that are new, and what is to be remembered then; null when nothing is. What was written for another
 * branch only its own worktree's daemon has watched.
 */
async function findNewCommits(workspace: Workspace, isWatched: boolean): Promise<NewCommits | null> {
  const { head, branches } = await workspace.git.ask(headAndBranches)
  const isFree = head !== null && !(await isMidRebase(workspace))
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

// More worktrees than this are in use by nobody at a time.
const WATCHED_TIPS_MAX = 100

async function commitsFrom({ git }: Workspace, from: readonly string[], ends: readonly string[]): Promise<string[]> {
  return from.length === 0 ? [] : git.ask(commitsBetween(from, ends))
}

/** The commits before any that a ledger can tell of; null when nobody can say where that is. */
export async function commitsBeforeNotes(workspace: Workspace): Promise<readonly string[] | null> {
  return (await readAnnotationState(workspace))?.ends ?? commitsBeforeLedger(workspace)
}

// What a rebase makes on its way may be gone at its end.
async function isMidRebase({ files, gitDir }: Workspace): Promise<boolean> {
  const folders = ['rebase-merge', 'rebase-apply'].map(it => files.modifiedAt(join(gitDir, it)))
  return (await Promise.all(folders)).some(it => it !== null)
}

async function writeNewNotes(
  workspace: Workspace,
  { commits, state }: NewCommits,
  isWatched: boolean,
): Promise<boolean> {
  const before = await readNoteRecords(workspace, commits)
  const wanted = isWatched ? commits : commits.filter(it => !before.has(it))
  const { buildCommitRecords: recordsOf } = await import('./commit-records.ts')
  const records = await recordsOf(workspace, wanted, await loadHasher())
  if (records.size > 0) {
    await writeNotes(workspace, async () =>
      notesToWrite(records, await readNoteRecords(workspace, [...records.keys()])),
    )
  }
  await workspace.files.put(annotationStatePath(workspace), JSON.stringify(state))
  return records.size > 0
}

/** The notes to write: each with the records that it has, and the new one where that knows of more lines. */
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

/** How many lines a record knows the author of. */
function attributedLineCount({ files }: CommitRecord): number {
  const attributed = files.flatMap(it => it.conversations).filter(it => it.contributor.type !== 'unknown')
  return attributed.flatMap(it => it.ranges).reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0)
}

async function readAnnotationState(workspace: Workspace): Promise<AnnotationState | null> {
  const bytes = await workspace.files.read(annotationStatePath(workspace)).catch(() => null)
  try {
    const state: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    return isAnnotationState(state) ? state : null
  } catch {
    return null
  }
}

function isAnnotationState(value: unknown): value is AnnotationState {
  const { ends, watched, noted } = value as AnnotationState
  return [ends, watched, noted].every(it => Array.isArray(it) && it.every(isOidOrParents))
}

// They become arguments of git.
function isOidOrParents(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40,64}(\^@)?$/.test(value)
}

function annotationStatePath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, 'finalised.json')
}
