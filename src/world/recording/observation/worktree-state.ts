import { join } from 'node:path'
import { GitIndex, LIST_INDEX } from '../../../core/git/index-entries.ts'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import { changedAtFromSignature, readSignature } from '../../io/files/file-state.ts'
import { readHead } from '../../io/worktree/head.ts'
import { ledgerSize } from '../../ledger/open-ledger.ts'
import { FILE_CLOCK_TICK_MS } from '../../../core/base/thresholds.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import type { SettingsState } from './settings-state.ts'
import { inTurns } from './turns.ts'
import { Epoch } from '../git-evidence/epoch.ts'

/** A file's content and mode: null where there is no file. */
export type Content = { readonly oid: string; readonly mode: string } | null

/**
 * What kotef knows of a worktree without holding its content: the index stands for every unchanged tracked file; only
 * what differs from it, or was seen to, has an entry of its own.
 */
export type WorktreeState = {
  index: GitIndex
  /** The stat of the index file just before it was read; null when there was none, or it was not read yet. */
  indexSignature: string | null
  /** A commit that HEAD named no later than the index was read; null when none is known. */
  head: string | null
  readonly paths: Map<string, PathState>
  /** What the index had (null: nothing) at paths that were not as in HEAD when they were last looked at. */
  readonly staged: Map<string, string | null>
  /** The stashes of the last look; null before the first one. */
  stashes: readonly string[] | null
  /** Paths that can't be read, with the stat they had when that was reported. */
  readonly unreadable: Map<string, string | null>
  /** Bytes of the ledger that are already folded into `known`. */
  ledgerBytes: number
  /** When this process loaded the state, in milliseconds since 1970; it watches from then on. */
  begunAt: number
  /** Grows with each change of the state. */
  revision: number
  epoch: Epoch
  /** What is known of git's settings; null before the first look. */
  settings: SettingsState | null
  /** When the whole tree was last compared with git, in milliseconds since 1970; 0 when it never was. */
  lookedAt: number
}

/** What is known of one path. */
export type PathState = {
  readonly content: Content
  /** The stat that the file had then; null when it was not seen on disk. */
  readonly signature: string | null
  /** The ledger says how the content came about. */
  readonly traced: boolean
  /** When it was seen, in milliseconds since 1970; 0 when unknown. */
  readonly at: number
  /** The index had the path before it was last rewritten. */
  readonly indexed?: boolean | undefined
  /** How git saw it: what nobody but git changes, and a `.gitignore`. */
  readonly git?: GitStatusEntry['kind'] | undefined
}

/** What a path held when kotef last looked. */
export function knownContent(state: WorktreeState, path: string): Content {
  const known = state.paths.get(path)
  return known ? known.content : (state.index.get(path) ?? null)
}

/** Remembers a path's content. A content that equals the index needs no entry, unless git's status is blind to it. */
export function setPath(state: WorktreeState, path: string, known: PathState): void {
  const entry = state.index.get(path) ?? null
  const { content } = known
  state.revision++
  keepInEpoch(state, path)
  const isKnown = content?.oid === entry?.oid && content?.mode === entry?.mode && state.index.flagOf(path) === null
  if (isKnown) state.paths.delete(path)
  else state.paths.set(path, known)
}

// Git may soon have the previous content, and restore it. Content known from the index alone was in git before.
function keepInEpoch({ paths: known, epoch }: WorktreeState, path: string): void {
  const last = known.get(path)
  if (last?.indexed === undefined && last) epoch.markSeen(path, last.content?.oid ?? null)
}

/** Remembers what is staged at a path, for the next daemon. */
export function setStaged({ index, staged }: WorktreeState, path: string): void {
  if (staged.size < STAGED_MAX || staged.has(path)) staged.set(path, index.get(path)?.oid ?? null)
}

const STAGED_MAX = 50_000

/** True when the index changed since it was read. */
export async function hasIndexChanged(workspace: Workspace, { indexSignature }: WorktreeState): Promise<boolean> {
  return (await indexSignatureOf(workspace)) !== indexSignature
}

/** Reads a changed index. Returns the paths that it changed; they keep their earlier content until inspected. */
export async function refreshIndex(workspace: Workspace, state: WorktreeState): Promise<string[]> {
  const { index: before } = state
  if (!(await hasIndexChanged(workspace, state))) return []
  const { index: now, ...signature } = await readIndex(workspace)
  const changed: string[] = []
  for await (const part of inTurns(now.comparedWith(before))) for (const path of part) if (path) changed.push(path)
  for await (const part of inTurns(changed)) for (const path of part) keepBefore(state, path, now)
  Object.assign(state, { index: now, ...signature })
  return changed
}

/** Keeps what a path was before the index became `now`. */
function keepBefore(state: WorktreeState, path: string, now: GitIndex): void {
  const { index: before } = state
  keepInEpoch(state, path)
  const fromIndex = { content: before.get(path) ?? null, signature: null, traced: true, at: 0 }
  state.paths.set(path, { ...(state.paths.get(path) ?? fromIndex), indexed: before.has(path) })
  // A path committed since may leave the index again while no daemon runs.
  if (state.staged.has(path)) state.staged.set(path, now.get(path)?.oid ?? null)
}

/** Forgets git's status of each path: what git ignores has changed. */
export function clearGitStatus({ paths: known }: WorktreeState): void {
  for (const [path, it] of known) known.set(path, { ...it, git: undefined })
}

/** The oids of known contents that are not in the index: the next diff may need them. */
export function knownOids({ paths: known }: WorktreeState): Set<string> {
  return new Set([...known.values()].flatMap(it => (it.content ? [it.content.oid] : [])))
}

/** Paths whose current content no record has. */
export function untracedPaths({ paths: known }: WorktreeState): string[] {
  return [...known].filter(([, it]) => !it.traced).map(([path]) => path)
}

/** A state that knows the index only. */
export async function freshState(workspace: Workspace, early: EarlyIndex | null = null): Promise<WorktreeState> {
  const epoch = new Epoch({ since: workspace.clock.now(), log: await reflogSize(workspace), reported: [], missed: [] })
  const head = await readHead(workspace)
  return {
    ...emptyState(),
    head,
    ...(await readIndex(workspace, early)),
    ledgerBytes: await ledgerSize(workspace),
    epoch,
  }
}

/** A state that knows nothing yet. */
export function emptyState(): WorktreeState {
  const index = new GitIndex(Buffer.alloc(0))
  const epoch = new Epoch({ since: 0, log: 0, reported: [], missed: [] })
  const nothing = {
    paths: new Map(),
    staged: new Map(),
    stashes: null,
    unreadable: new Map(),
    begunAt: 0,
    ledgerBytes: 0,
    revision: 0,
    settings: null,
    lookedAt: 0,
  }
  return { index, indexSignature: null, head: null, epoch, ...nothing }
}

/** Git's list of the index, asked for before the worktree was known; null when git failed. */
export type EarlyIndex = {
  /** In milliseconds since 1970. */
  readonly startedAt: number
  readonly bytes: Promise<Buffer | null>
}

async function readIndex(
  workspace: Workspace,
  early: EarlyIndex | null = null,
): Promise<Pick<WorktreeState, 'index' | 'indexSignature'>> {
  // If the index changes meanwhile, its saved signature is too old, and it is read again.
  const indexSignature = await indexSignatureOf(workspace)
  const changedAt = indexSignature === null ? Infinity : changedAtFromSignature(indexSignature)
  const known = early && changedAt < early.startedAt - FILE_CLOCK_TICK_MS ? await early.bytes : null
  return { index: new GitIndex(known ?? (await workspace.git.bytes(LIST_INDEX))), indexSignature }
}

function indexSignatureOf({ gitDir }: Workspace): Promise<string | null> {
  return readSignature(join(gitDir, 'index'))
}

/** The size of HEAD's log in bytes; 0 without one. */
export async function reflogSize({ files, gitDir }: Workspace): Promise<number> {
  return (await files.readEnd(join(gitDir, 'logs/HEAD'), 0))?.size ?? 0
}
