import { join } from 'node:path'
import { loadHasher } from '../io/files/hasher.ts'
import { gather } from '../io/git/gather.ts'
import { withLock } from '../io/files/lock.ts'
import { isRebasing } from '../../core/git/git-operation.ts'
import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import { mayGetClasses, recordsToAdd } from '../../core/ledger/records-to-add.ts'
import type { CommitClasses } from '../../core/ledger/noted-classes.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { countFiles } from '../../core/git/commit-graph.ts'
import { commitsBeforeLedger, commitsBetween, headAndBranches } from './commit-queries.ts'
import { type AnnotationState, readAnnotationState, saveAnnotationState } from './annotation-state.ts'
import { NOTES_REF, type NoteTexts, readNoteRecords, readNotesTip, writeNotes } from '../ledger/notes.ts'
import { isAnyAuthorUnknown } from '../../core/ledger/attributed-lines.ts'
import { ANNOTATE_LOCK_WAIT_MS_MAX, QUESTION_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { catchUpLedger } from '../commits/judge-new-commits.ts'

/** Who annotates: one that watched the worktree knows all writes, and one that has time classifies changes as well. */
type Annotator = {
  readonly isWatched: boolean
  /** The tips to annotate, by default those of now. Of a later one than the ledger, writes may be missing. */
  readonly tips?: Tips
  readonly classify?: (commits: readonly string[]) => Promise<CommitClasses>
  /** How it waits for another annotator; by default as long as the first run may take. */
  readonly waiting?: Parameters<typeof withLock>[2]
  /** Reports how many commits are looked at, where that takes more than a moment: mostly once in a clone’s life. */
  readonly onMany?: (commits: number) => void
}

type Tips = { readonly head: string | null; readonly branches: readonly string[] }

/** The commits of HEAD and of the local branches. */
export function readTips({ git }: Workspace): Promise<Tips> {
  return git.ask(headAndBranches)
}

/**
 * Writes a note with the authors of its lines for each new commit of HEAD or a local branch, unless no author is known;
 * and for older ones, when notes came from elsewhere that may know their authors. A caller that
 * watched the worktree (`isWatched`) knows all writes; notes of other callers are checked again by the next one that
 * did. A caller that classifies adds the classes of the changes, also to notes that others wrote. Writes nothing where
 * kotef is not set up. True when a note was written.
 */
export async function annotateCommits(workspace: Workspace, annotator: Annotator): Promise<boolean> {
  const { shared } = layoutOf(workspace)
  if ((await workspace.files.modifiedAt(shared)) === null) return false
  const found = await findNewCommits(workspace, annotator)
  if (found === null) return false
  // Nobody who waits for a note waits for the parser: the lock is free meanwhile.
  const classes = await annotator.classify?.(await ownCommits(workspace, found.unclassified))
  const now = classes ? await findNewCommits(workspace, annotator) : found
  if (now === null) return false
  if (now.commits.length > COMMITS_OF_A_MOMENT) annotator.onMany?.(now.commits.length)
  const state = { ...now.state, classified: found.state.classified }
  const lock = join(shared, 'finalised.lock')
  const write = () => writeNewNotes(workspace, { ...now, state, classes: classes ?? new Map() }, annotator.isWatched)
  return withLock(lock, write, annotator.waiting ?? { waitMsMax: ANNOTATE_LOCK_WAIT_MS_MAX })
}

// Of a note from elsewhere, the clone that wrote it adds the classes.
async function ownCommits(workspace: Workspace, commits: readonly string[]): Promise<string[]> {
  const noted = await readNoteRecords(workspace, commits)
  const writer = await ownWriter(workspace)
  return commits.filter(it => mayGetClasses(noted.get(it) ?? [], writer))
}

/** The writer of this worktree's ledger; null before its first record. */
async function ownWriter(workspace: Workspace): Promise<string | null> {
  const { readChainHead } = await import('../ledger/append-records.ts')
  return (await readChainHead(workspace))?.writer ?? null
}

/** How many files the commits change that a daemon would annotate now; too many of them count as infinite. */
export async function filesToAnnotate(workspace: Workspace): Promise<number> {
  const { shared } = layoutOf(workspace)
  const isSetUp = (await workspace.files.modifiedAt(shared)) !== null
  const { commits } = (isSetUp ? await findNewCommits(workspace, { isWatched: true }) : null) ?? { commits: [] }
  if (commits.length === 0) return 0
  return commits.length > COUNTED_MAX ? Infinity : workspace.git.ask(countFiles(['--no-walk=unsorted', ...commits]))
}

const COUNTED_MAX = 50

/** More commits than these take so long that a person reads of it. */
export const COMMITS_OF_A_MOMENT = 1_000

type NewCommits = {
  readonly commits: readonly string[]
  /** The commits whose changes have no class yet, oldest first. */
  readonly unclassified: readonly string[]
  readonly state: AnnotationState
}

/**
 * The commits to annotate, and the state to save afterwards; null when there are none. `isWatched` counts for HEAD
 * alone: commits of another branch were watched by the daemon of another worktree.
 */
async function findNewCommits(
  workspace: Workspace,
  { isWatched, classify, tips }: Annotator,
): Promise<NewCommits | null> {
  const { head, branches } = tips ?? (await readTips(workspace))
  // A rebase may drop the commits that it is making.
  const isFree = head !== null && !(await gather(workspace, isRebasing(workspace)))
  const state = await readAnnotationState(workspace)
  const notes = await readNotesTip(workspace)
  const own = isFree && isWatched && !state?.watched.includes(head) ? [head] : []
  const all = [...(isFree ? [head] : []), ...branches]
  const others = all.filter(it => !state?.noted.includes(it))
  const isNoted = state === null || state.notes === notes
  const known = state?.classified ?? []
  const classless = classify ? all.filter(it => !known.includes(it)) : []
  if (own.length + others.length + classless.length === 0 && isNoted) return null
  const ends = state?.ends ?? (await commitsBeforeLedger(workspace))
  if (ends === null) return null
  const watched = [...own, ...(state?.watched ?? [])].slice(0, WATCHED_TIPS_MAX)
  const commits = [
    ...(await commitsFrom(workspace, others, [...ends, ...(state?.noted ?? [])])),
    ...(await commitsFrom(workspace, own, [...ends, ...(state?.watched ?? []), ...(await unwatched(workspace, own))])),
    ...(isNoted ? [] : await commitsToSeeAgain(workspace, state, notes)),
  ]
  const unclassified = await commitsFrom(workspace, classless, [...ends, ...known])
  const classified = classify ? all : known
  return {
    commits: [...new Set(commits)],
    unclassified,
    state: { ends, watched, noted: all, notes, classified },
  }
}

// Of commits from before its ledger, a caller knows no more for having watched the worktree; but the last of them may
// be what the first record is about.
async function unwatched(workspace: Workspace, tips: readonly string[]): Promise<readonly string[]> {
  const before = tips.length === 0 ? [] : ((await commitsBeforeLedger(workspace)) ?? [])
  return before.map(it => (it.endsWith('^@') ? it : `${it}^@`))
}

// Notes that came may know authors that were unknown: those of the commits that a server squashed, for one.
async function commitsToSeeAgain(
  workspace: Workspace,
  { ends, noted, notes }: AnnotationState,
  after: string | null,
): Promise<string[]> {
  const { commitsOfNewNotes } = await import('./new-notes.ts')
  return commitsOfNewNotes(workspace, { before: notes, after }, { tips: noted, ends })
}

// More worktrees than anybody uses at a time.
const WATCHED_TIPS_MAX = 100

async function commitsFrom({ git }: Workspace, from: readonly string[], ends: readonly string[]): Promise<string[]> {
  return from.length === 0 ? [] : git.ask(commitsBetween(from, ends))
}

async function writeNewNotes(
  workspace: Workspace,
  { commits, state, classes }: NewCommits & { readonly classes: CommitClasses },
  isWatched: boolean,
): Promise<boolean> {
  const before = await readNoteRecords(workspace, commits)
  const wanted = isWatched ? commits : commits.filter(it => isAnyAuthorUnknown(before.get(it) ?? []))
  const { buildCommitRecords } = await import('./commit-records.ts')
  const records = await buildCommitRecords(workspace, wanted, await loadHasher())
  const changed = [...new Set([...records.keys(), ...classes.keys()])]
  const writer = await ownWriter(workspace)
  let isWritten = false
  const make = async (): Promise<NoteTexts> => {
    const notes = notesToWrite(await readNoteRecords(workspace, changed), { records, classes, writer })
    isWritten = notes.size > 0
    return notes
  }
  if (changed.length > 0) await writeNotes(workspace, make)
  const notes = isWritten ? await tipAfterWrite(workspace, state.notes) : state.notes
  await saveAnnotationState(workspace, { ...state, notes })
  return isWritten
}

/** The tip of the notes after a write of this process; the tip before it, if others wrote notes meanwhile. */
async function tipAfterWrite({ git }: Workspace, before: string | null): Promise<string | null> {
  const args = ['rev-list', '--parents', '--max-count=1', NOTES_REF, '--']
  const [tip = null, parent = null] = await git.ask({ args, parse: out => out.trim().split(' ') })
  return parent === before ? tip : before
}

type NewFacts = {
  readonly records: ReadonlyMap<string, CommitRecord>
  readonly classes: CommitClasses
  readonly writer: string | null
}

/** The notes to write: the existing records of each, and what they lack. */
function notesToWrite(
  noted: ReadonlyMap<string, readonly CommitRecord[]>,
  { records, classes: all, writer }: NewFacts,
): Map<string, string> {
  const notes = new Map<string, string>()
  for (const commit of new Set([...records.keys(), ...all.keys()])) {
    const existing = noted.get(commit) ?? []
    const classes = all.get(commit) ?? new Map()
    const added = recordsToAdd(existing, { record: records.get(commit), classes, writer })
    if (added.length > 0) notes.set(commit, [...existing, ...added].map(it => `${JSON.stringify(it)}\n`).join(''))
  }
  return notes
}

type NotesUpdate = { readonly notify: (line: string) => void }

/** Records the newest writes and writes missing notes; reports what may be missing. True when it wrote a note. */
export async function updateNotes(workspace: Workspace, { notify }: NotesUpdate): Promise<boolean> {
  const tips = await readTips(workspace)
  const { isWatched, behind } = await catchUpLedger(workspace)
  if (behind !== null) notify(`The newest writes may be missing. ${behind}`)
  const onWait = (holder: string) => notify(`The history is being read by ${holder}; this waits for it, for a moment.`)
  const waiting = { waitMsMax: QUESTION_LOCK_WAIT_MS_MAX, onWait }
  return annotateCommits(workspace, { isWatched, tips, waiting, onMany: manyNotice(notify) }).catch(
    (thrown: unknown) => {
      notify(`The newest commits have no notes yet. ${toKotefError(thrown).message}`)
      return false
    },
  )
}

/** Reports that many commits are looked at, so that nobody waits without a word. */
export function manyNotice(notify: NotesUpdate['notify']): (commits: number) => void {
  return commits => notify(`Looking for the authors of the lines of ${commits} commits. This takes a moment.`)
}
