import { join } from 'node:path'
import type { GivenFacts } from '../../../core/authorship/change-origin/facts.ts'
import { waitFor } from '../../../core/authorship/change-origin/waits.ts'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import {
  bytesFromSignature,
  type FileState,
  goneFolders,
  readFileState,
  readSignature,
  type UnreadableFile,
} from '../../io/files/file-state.ts'
import { patchAgeMs, waitForGit } from '../git-evidence/git-evidence.ts'
import type { GitEvidence } from '../git-evidence/evidence.ts'
import { restoredAt } from '../git-evidence/content-age.ts'
import { classifyPath } from './classify-path.ts'
import { statusWithoutFlag } from './flagged-files.ts'
import { type Content, knownContent, hasIndexChanged, reflogSize, type WorktreeState } from './worktree-state.ts'
import { settleOutcome } from './settle-outcome.ts'
import { partsByWeight } from '../../../core/base/grouping.ts'
import { gitStatuses } from './git-statuses.ts'
import { inTurns } from './turns.ts'
import { keepSnapshot } from './snapshots.ts'
import { isRuntimePath } from '../../io/worktree/own-writes.ts'
import type { ObservedAt } from '../git-evidence/epoch.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** A path that somebody wrote: what was known of it, and its current content. */
export type Write = {
  readonly path: string
  readonly before: Content
  readonly after: Content
  readonly file: FileState | null
  readonly observedAt: ObservedAt
  /** How git sees it; undefined for what is clean, or ignored. */
  readonly git: GitStatusEntry['kind'] | undefined
  /** Blobs that git may have brought back since `before` was seen. */
  readonly restored: readonly string[]
}

/** The result of inspecting some paths. */
export type Inspection = {
  readonly writes: readonly Write[]
  /** They changed while they were read. */
  readonly torn: readonly string[]
  /** They can't be read, and that has not been reported yet. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[]
  /** Git was working: no path could be judged, and all are torn. */
  readonly isPostponed: boolean
}

/** What to look at. What `rested` names must still have that stat: with another it is being written, and torn. */
export type InspectRequest = {
  readonly paths: readonly string[]
  readonly evidence: GitEvidence
  readonly stableStats?: ReadonlyMap<string, string | null | undefined>
  /** What is not looked at when this is aborted is torn. */
  readonly halt: AbortSignal
}

type InspectContext = { readonly workspace: Workspace; readonly state: WorktreeState; readonly evidence: GitEvidence }

// More than this is not kept for the next diff.
const SNAPSHOT_BYTES_MAX = 1_048_576

/** Inspects paths and separates writes from what git did; keeps the state of all but writes. */
export async function inspectPaths(
  workspace: Workspace,
  state: WorktreeState,
  { paths, evidence, stableStats, halt }: InspectRequest,
): Promise<Inspection> {
  const candidates = paths.filter(path => !isRuntimePath(path))
  const statuses = await gitStatuses({ workspace, state, evidence }, { paths: candidates, stableStats })
  if (waitFor({ indexIsNewer: await hasIndexChanged(workspace, state) }) !== null) return postponed(candidates)
  const look: Look = {
    workspace,
    state,
    evidence,
    statuses,
    isFolderGone: goneFolders(workspace.root),
    log: await reflogSize(workspace),
    stableStatOf: path => stableStats?.get(path),
  }
  const found: Inspection[] = []
  const parts = partsByWeight(candidates, path => bytesToRead(stableStats, path), BYTES_AT_A_TIME)
  // What is gone may need no look at the disk, which would leave a turn to others.
  for await (const some of inTurns(parts, PARTS_PER_TURN))
    for (const part of some)
      found.push(...(halt.aborted ? [tornOnly(part)] : await Promise.all(part.map(path => inspectOne(look, path)))))
  // Git removes a file for a moment before it writes another one in its place. Moves are found among all.
  const isGone = candidates.some(path => stableStats?.get(path) === null)
  if (isGone && (await hasGitWorked(workspace, state))) return postponed(candidates)
  return {
    writes: found.flatMap(it => it.writes),
    torn: found.flatMap(it => it.torn),
    unreadable: found.flatMap(it => it.unreadable),
    isPostponed: false,
  }
}

async function hasGitWorked(workspace: Workspace, state: WorktreeState): Promise<boolean> {
  return (await waitForGit(workspace, Infinity)) !== null || (await hasIndexChanged(workspace, state))
}

// Paths of one part are read at the same time: each waits for the disk. What is large is read alone.
const BYTES_AT_A_TIME = 4_194_304
const BYTES_OF_A_LOOK = BYTES_AT_A_TIME / 32
const BYTES_UNKNOWN = BYTES_AT_A_TIME / 4
const PARTS_PER_TURN = 8

function bytesToRead(stableStats: InspectRequest['stableStats'], path: string): number {
  const stat = stableStats?.get(path)
  if (stat === undefined) return BYTES_UNKNOWN
  return BYTES_OF_A_LOOK + (stat === null ? 0 : bytesFromSignature(stat))
}

/** What is asked once for all paths of an inspection. */
type Look = InspectContext & {
  readonly statuses: ReadonlyMap<string, GitStatusEntry['kind']>
  readonly isFolderGone: (path: string) => Promise<boolean>
  readonly stableStatOf: (path: string) => string | null | undefined
  /** The size of HEAD's log. */
  readonly log: number
}

async function inspectOne(look: Look, path: string): Promise<Inspection> {
  const { statuses, isFolderGone, stableStatOf, log, ...context } = look
  const { workspace, state, evidence } = context
  const at = workspace.clock.now()
  const file = (await isFolderGone(path)) ? null : await readFileState(join(workspace.root, path))
  const git = statuses.get(path)
  const why = whyUnreadable(path, file)
  if (why !== null) return { ...NOTHING, unreadable: await newlyUnreadable(workspace, state, { path, why }) }
  if (isUnread(file)) return tornOnly([path])
  if (await waitForFile(workspace, { file, git, stable: stableStatOf(path) })) return tornOnly([path])
  const seen = { path, file, git: await statusWithoutFlag(evidence, { path, file, git }) }
  return { ...NOTHING, writes: await inspectPath(context, { ...seen, observedAt: { at, log } }) }
}

const NOTHING: Inspection = { writes: [], torn: [], unreadable: [], isPostponed: false }

const tornOnly = (torn: readonly string[]): Inspection => ({ ...NOTHING, torn })

const postponed = (torn: readonly string[]): Inspection => ({ ...NOTHING, torn, isPostponed: true })

function isUnread(file: FileState | null | UnreadableFile): file is UnreadableFile {
  return file !== null && 'unread' in file
}

type SettledFile = Pick<InspectedPath, 'file' | 'git'> & { readonly stable: string | null | undefined }

/** Why a file is not judged yet: it was written after its stat was found to be stable, or a patch brought it. */
async function waitForFile(workspace: Workspace, { file, git, stable }: SettledFile): Promise<string | null> {
  const changedWhileRead = stable !== undefined && stable !== (file?.signature ?? null)
  return waitFor({ changedWhileRead, status: git, patchAgeMs: git === 'staged' ? await patchAgeMs(workspace) : null })
}

// Git and Node show bytes that are not UTF-8 as U+FFFD, and no file is found under that name.
function whyUnreadable(path: string, file: FileState | null | UnreadableFile): string | null {
  if (file === null) return path.includes('\ufffd') ? 'its name is not UTF-8' : null
  return isUnread(file) && file.unread === 'unreadable' ? file.why : null
}

async function newlyUnreadable(
  { root }: Workspace,
  { unreadable }: WorktreeState,
  { path, why }: { path: string; why: string },
) {
  const signature = await readSignature(join(root, path))
  if (unreadable.has(path) && unreadable.get(path) === signature) return []
  unreadable.set(path, signature)
  return [{ path, why }]
}

type InspectedPath = {
  readonly path: string
  readonly file: FileState | null
  readonly observedAt: ObservedAt
  readonly git: GitStatusEntry['kind'] | undefined
}

async function inspectPath(context: InspectContext, found: InspectedPath): Promise<Write[]> {
  const { workspace, state } = context
  const { path, file } = found
  const before = knownContent(state, path)
  const after = file && { oid: file.oid, mode: file.mode }
  const { origin } = await originOf(context, found, { before, after })
  if (origin === 'person') return [{ ...found, after, ...(await restoredBefore(context, found, { before, after })) }]
  settleOutcome(state, { ...found, content: after, origin })
  // What git brought back may be in no object by these bytes (line endings, LFS), or in none for long (a stash).
  const differs = origin === 'git' && state.paths.has(path)
  if (differs && file?.bytes && file.bytes.length <= SNAPSHOT_BYTES_MAX)
    await keepSnapshot(workspace, file.oid, file.bytes)
  return []
}

/** What was known of a path, and what git may have brought back there since then, before somebody wrote. */
async function restoredBefore(
  { state, evidence }: InspectContext,
  { path, file }: InspectedPath,
  { before, after }: ContentChange,
) {
  // What was there before a loss is all that its record names.
  if (file === null && before !== null) return { before, restored: [] }
  const entry = state.index.get(path)
  const known = state.paths.has(path)
  const since = state.paths.get(path)?.at ?? 0
  const asked = { entry: known ? (entry?.oid ?? null) : null, since, ...(after && { content: after.oid }) }
  const { moved, all, over } = await restoredAt(evidence, path, asked)
  const modeOf = (oid: string | null) => (oid === null ? null : { oid, mode: entry?.mode ?? '100644' })
  if (over !== undefined) return { before: modeOf(over), restored: [] }
  // Git made the file, even if a person went on with it.
  const isMade = before === null && moved !== null && moved !== after?.oid
  return { before: isMade ? modeOf(moved) : before, restored: all }
}

type ContentChange = { readonly before: Content; readonly after: Content }

/** Whether git or a person changed a path, by the table of rows. */
function originOf({ evidence, state }: InspectContext, { path, file, git }: InspectedPath, change: ContentChange) {
  const { before, after } = change
  const isTracked = state.index.has(path)
  const status: GivenFacts['status'] = git ?? (isTracked || file === null ? 'clean' : 'ignored')
  const differs = before?.oid !== after?.oid || before?.mode !== after?.mode
  const knownFromIndex = isTracked && !state.paths.has(path)
  const given = { existed: before !== null, exists: after !== null, differs, status, knownFromIndex }
  return classifyPath(evidence, { path, status, before }, { file, given })
}
