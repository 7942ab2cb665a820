import { join } from 'node:path'
import { loadHasher } from '../io/hash.ts'
import { withLock } from '../io/lock.ts'
import type { CommittedRecord } from '../ledger/committed.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { beforeAll, commitsBetween, tips } from './commits.ts'
import { notesOn, writeNotes } from './notes.ts'

/**
 * Puts a note on each commit of a local branch, or of HEAD, that has none: whom its lines are from. Who has watched
 * (`isWatched`) knows all that was written; what others note is looked at again by the next one who has. Nothing is
 * noted where kotef is not set up. True when a note was written.
 */
export async function finalise(workspace: Workspace, { isWatched }: { isWatched: boolean }): Promise<boolean> {
  const { shared } = placesOf(workspace)
  if ((await workspace.files.modifiedAt(shared)) === null) return false
  const news = await newCommits(workspace, isWatched)
  if (news === null) return false
  const lock = join(shared, 'finalised.lock')
  return withLock(lock, () => note(workspace, news, isWatched), { waitMsMax: WAIT_MS_MAX })
}

// The first time there may be thousands of commits to note.
const WAIT_MS_MAX = 120_000

type News = { readonly commits: readonly string[]; readonly kept: Kept }

/** Up to where every commit has its note: the commits before any that the ledger knows of, and tips. */
type Kept = {
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
async function newCommits(workspace: Workspace, isWatched: boolean): Promise<News | null> {
  const { head, branches } = await workspace.git.ask(tips)
  const isFree = head !== null && !(await isMidway(workspace))
  const kept = await keptOf(workspace)
  const own = isFree && isWatched && !kept?.watched.includes(head) ? [head] : []
  const all = [...(isFree ? [head] : []), ...branches]
  const others = all.filter(it => !kept?.noted.includes(it))
  if (own.length + others.length === 0) return null
  const ends = kept?.ends ?? (await beforeAll(workspace))
  if (ends === null) return null
  const watched = [...own, ...(kept?.watched ?? [])].slice(0, TIPS_MAX)
  const commits = [
    ...(await between(workspace, others, [...ends, ...(kept?.noted ?? [])])),
    ...(await between(workspace, own, [...ends, ...(kept?.watched ?? [])])),
  ]
  return { commits: [...new Set(commits)], kept: { ends, watched, noted: all } }
}

// More worktrees than this are in use by nobody at a time.
const TIPS_MAX = 100

async function between({ git }: Workspace, from: readonly string[], ends: readonly string[]): Promise<string[]> {
  return from.length === 0 ? [] : git.ask(commitsBetween(from, ends))
}

/** The commits before any that a ledger can tell of; null when nobody can say where that is. */
export async function endsOf(workspace: Workspace): Promise<readonly string[] | null> {
  return (await keptOf(workspace))?.ends ?? beforeAll(workspace)
}

// What a rebase makes on its way may be gone at its end.
async function isMidway({ files, gitDir }: Workspace): Promise<boolean> {
  const signs = ['rebase-merge', 'rebase-apply'].map(it => files.modifiedAt(join(gitDir, it)))
  return (await Promise.all(signs)).some(it => it !== null)
}

async function note(workspace: Workspace, { commits, kept }: News, isWatched: boolean): Promise<boolean> {
  const before = await notesOn(workspace, commits)
  const asked = isWatched ? commits : commits.filter(it => !before.has(it))
  const { recordsOf } = await import('./attributed.ts')
  const made = await recordsOf(workspace, asked, await loadHasher())
  if (made.size > 0) {
    await writeNotes(workspace, async () => withNews(made, await notesOn(workspace, [...made.keys()])))
  }
  await workspace.files.put(keptPath(workspace), JSON.stringify(kept))
  return made.size > 0
}

/** The notes to write: each with the records that it has, and the new one where that knows of more lines. */
function withNews(
  made: ReadonlyMap<string, CommittedRecord>,
  noted: ReadonlyMap<string, readonly CommittedRecord[]>,
): Map<string, string> {
  const notes = new Map<string, string>()
  for (const [commit, record] of made) {
    const there = noted.get(commit) ?? []
    if (there.some(it => it.id === record.id || known(it) >= known(record))) continue
    notes.set(commit, [...there, record].map(it => `${JSON.stringify(it)}\n`).join(''))
  }
  return notes
}

/** How many lines a record knows the author of. */
function known({ files }: CommittedRecord): number {
  const told = files.flatMap(it => it.conversations).filter(it => it.contributor.type !== 'unknown')
  return told.flatMap(it => it.ranges).reduce((sum, it) => sum + it.end_line - it.start_line + 1, 0)
}

async function keptOf(workspace: Workspace): Promise<Kept | null> {
  const bytes = await workspace.files.read(keptPath(workspace)).catch(() => null)
  try {
    const kept: unknown = JSON.parse(bytes?.toString('utf8') ?? '')
    return isKept(kept) ? kept : null
  } catch {
    return null
  }
}

function isKept(value: unknown): value is Kept {
  const { ends, watched, noted } = value as Kept
  return [ends, watched, noted].every(it => Array.isArray(it) && it.every(isOid))
}

// They become arguments of git.
function isOid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{40,64}(\^@)?$/.test(value)
}

function keptPath(workspace: Workspace): string {
  return join(placesOf(workspace).shared, 'finalised.json')
}
