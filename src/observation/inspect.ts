import { join } from 'node:path'
import { type Content, judgeWrite, type WriteFacts } from '../attribution/judge-write.ts'
import { type GitStatusEntry, gitStatusOf } from '../git/status.ts'
import { readSignature, type FileState, readFileState, type UnreadableFile } from '../io/files/file-state.ts'
import { evidenceOf, NO_EVIDENCE } from '../git-evidence/gather-facts.ts'
import type { GitActivity } from '../git-evidence/git-evidence.ts'
import {
  knownContent,
  hasIndexChanged,
  setStaged,
  type PathState,
  reflogSize,
  type WorktreeState,
  setPath,
} from './worktree-state.ts'
import { keepSnapshot } from './snapshots.ts'
import { isOwnWrite, isRuntimePath } from '../worktree/own-writes.ts'
import type { Looked } from '../git-evidence/epoch.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A path that somebody wrote: what was known of it, and what stands there now. */
export type Write = {
  readonly path: string
  readonly before: Content
  readonly after: Content
  readonly file: FileState | null
  readonly observedAt: Looked
  /** How git sees it; undefined for what is clean, or ignored. */
  readonly git: GitStatusEntry['kind'] | undefined
  /** Blobs that git may have brought back since `before` was seen. */
  readonly restored: readonly string[]
}

/** What a look at some paths came to. */
export type Inspection = {
  readonly writes: readonly Write[]
  /** They changed while they were read. */
  readonly torn: readonly string[]
  /** They can't be read, and nobody has been told of it yet. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[]
}

/** What to look at. What `rested` names must still have that stat: with another it is being written, and torn. */
export type InspectRequest = {
  readonly paths: readonly string[]
  readonly activity: GitActivity
  readonly stableStats?: ReadonlyMap<string, string | null | undefined>
}

type InspectContext = { readonly workspace: Workspace; readonly state: WorktreeState; readonly activity: GitActivity }

// More than this is not kept for the next diff.
const SNAPSHOT_BYTES_MAX = 1_048_576

/** Looks at paths and tells writes from what git did; remembers all but writes. */
export async function inspectPaths(
  workspace: Workspace,
  state: WorktreeState,
  { paths, activity, stableStats }: InspectRequest,
): Promise<Inspection> {
  const candidates = paths.filter(path => !isRuntimePath(path))
  const statuses = await gitStatuses({ workspace, state, activity }, { paths: candidates, stableStats })
  const inspection = { writes: [] as Write[], torn: [] as string[], unreadable: [] as { path: string; why: string }[] }
  // How git sees a path says nothing next to an index that was read before.
  if (await hasIndexChanged(workspace, state)) return { ...inspection, torn: candidates }
  const log = await reflogSize(workspace)
  for (const path of candidates) {
    const at = workspace.clock.now()
    const file = await readFileState(join(workspace.root, path))
    const why = whyUnreadable(path, file)
    if (why !== null) inspection.unreadable.push(...(await newlyUnreadable(workspace, state, { path, why })))
    else if (isUnread(file) || hasOtherStat(file, stableStats?.get(path))) inspection.torn.push(path)
    // Between the patch and its commit nobody can say whose the staged lines are.
    else if (statuses.get(path) === 'staged' && (await activity.applying())) inspection.torn.push(path)
    else {
      const found = { path, file, observedAt: { at, log }, git: statuses.get(path) }
      inspection.writes.push(...(await inspectPath({ workspace, state, activity }, found)))
    }
  }
  return inspection
}

/** What the memory keeps of a look at a path that is recorded, or needs no record. */
export function stateAfter({ after, file, observedAt, git }: Write): PathState {
  return { content: after, signature: file?.signature ?? null, traced: true, at: observedAt.at, git }
}

function isUnread(file: FileState | null | UnreadableFile): file is UnreadableFile {
  return file !== null && 'unseen' in file
}

// It was written between the look at its stat and the look into it: what stands there now may be half of it.
function hasOtherStat(file: FileState | null, rested: string | null | undefined): boolean {
  return rested !== undefined && rested !== (file?.signature ?? null)
}

// Git and Node show bytes that are not UTF-8 as U+FFFD, and no file is found under that name.
function whyUnreadable(path: string, file: FileState | null | UnreadableFile): string | null {
  if (file === null) return path.includes('\ufffd') ? 'its name is not UTF-8' : null
  return isUnread(file) && file.unseen === 'unreadable' ? file.why : null
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
  readonly observedAt: Looked
  readonly git: GitStatusEntry['kind'] | undefined
}

async function inspectPath(context: InspectContext, found: InspectedPath): Promise<Write[]> {
  const { workspace, state } = context
  const { path, file, observedAt } = found
  const before = knownContent(state, path)
  const after = file && { oid: file.oid, mode: file.mode }
  const known = state.paths.get(path)
  const verdict = await classifyPath(context, found, { before, after })
  if (verdict === 'write') return [{ ...found, after, ...(await restoredBefore(context, found, { before, after })) }]
  const traced = verdict === 'sync' || (known?.traced ?? true)
  const seen = { content: after, signature: file?.signature ?? null, traced, at: observedAt.at }
  state.epoch.look(path, observedAt)
  if (found.git === 'staged' || found.git === 'dirty') setStaged(state, path)
  if (verdict === 'same') keepIndexBlob(state, found, after)
  // A preexisting file that was touched, not changed, is as unknown as before.
  if (verdict !== 'ignored') setPath(state, path, seen)
  // What git brought back may be in no object by these bytes (line endings, LFS), or in none for long (a stash).
  const differs = verdict === 'sync' && state.paths.has(path)
  if (differs && file?.bytes && file.bytes.length <= SNAPSHOT_BYTES_MAX)
    await keepSnapshot(workspace, file.oid, file.bytes)
  return []
}

// A filter makes another blob of what is known.
function keepIndexBlob({ index, epoch }: WorktreeState, { path, git }: InspectedPath, after: Content): void {
  const entry = git === undefined || git === 'staged' ? index.get(path) : undefined
  if (entry && after && entry.oid !== after.oid) epoch.keep(path, entry.oid)
}

/** What was known of a path, and what git may have brought back there since then, before somebody wrote. */
async function restoredBefore(
  { state, activity }: InspectContext,
  { path }: InspectedPath,
  { before, after }: ContentChange,
) {
  const entry = state.index.get(path)
  const [known, since] = [state.paths.has(path), state.paths.get(path)?.at ?? 0]
  const { moved, all } = await activity.restored(path, { entry: known ? (entry?.oid ?? null) : null, since })
  // Git made the file, whoever went on with it.
  const isMade = before === null && moved !== null && moved !== after?.oid
  const made = isMade ? { oid: moved, mode: entry?.mode ?? '100644' } : before
  return { before: made, restored: all }
}

type ContentChange = { readonly before: Content; readonly after: Content }

async function classifyPath(context: InspectContext, found: InspectedPath, { before, after }: ContentChange) {
  const { workspace, state } = context
  const { path, file } = found
  if (after && (await isOwnWrite(workspace, path, after.oid))) return 'sync'
  const tracked = state.index.has(path)
  const git: WriteFacts['git'] = found.git ?? (tracked || file === null ? 'clean' : 'ignored')
  const facts = { known: before, disk: after, knownFromIndex: tracked && !state.paths.has(path), git }
  const first = judgeWrite({ ...facts, ...NO_EVIDENCE })
  if (first !== 'write') return first
  return judgeWrite({
    ...facts,
    ...(await evidenceOf({ ...context, memory: state }, { path, git, before, standing: file })),
  })
}

/** How git sees each of the paths that are not simply clean or ignored. */
async function gitStatuses(
  { workspace, state, activity }: InspectContext,
  {
    paths,
    stableStats,
  }: { readonly paths: readonly string[]; readonly stableStats: InspectRequest['stableStats'] | undefined },
): Promise<Map<string, GitStatusEntry['kind']>> {
  const statuses = new Map<string, GitStatusEntry['kind']>()
  for (const path of paths) {
    const { git, at } = state.paths.get(path) ?? {}
    // Who edits on does not change what it is to git.
    const isSame = typeof stableStats?.get(path) === 'string' && at !== undefined && !activity.workedSince(at)
    if (git !== undefined && isSame) statuses.set(path, git)
  }
  const others = paths.filter(path => !statuses.has(path))
  for (let n = 0; n < others.length; n += PATHS_PER_CALL) {
    const entries = await workspace.git.ask(gitStatusOf(others.slice(n, n + PATHS_PER_CALL)))
    for (const { path, kind } of entries) statuses.set(path, kind)
  }
  return statuses
}

// Paths are at most 4 KiB, and a command line at least 128 KiB on every system that git runs on; most are far shorter.
const PATHS_PER_CALL = 500
