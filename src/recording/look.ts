import { join } from 'node:path'
import { type Content, judgeWrite, type WriteFacts } from '../attribution/judge-write.ts'
import { type StatusEntry, statusOf } from '../diff/status.ts'
import { signatureAt, type Standing, standingAt, type Unseen } from '../io/worktree.ts'
import { evidenceOf, NO_EVIDENCE } from './evidence.ts'
import type { GitActivity } from './git-activity.ts'
import { contentOf, isIndexNew, keepStaged, type Known, logSize, type Memory, remember } from './memory.ts'
import { keepSnapshot } from './snapshots.ts'
import { isOwnWrite, isRuntimePath } from '../workspace/own-writes.ts'
import type { Looked } from './period.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A path that somebody wrote: what was known of it, and what stands there now. */
export type Write = {
  readonly path: string
  readonly before: Content
  readonly after: Content
  readonly standing: Standing | null
  readonly looked: Looked
  /** How git sees it; undefined for what is clean, or ignored. */
  readonly git: StatusEntry['kind'] | undefined
  /** Blobs that git may have brought back since `before` was seen. */
  readonly restored: readonly string[]
}

/** What a look at some paths came to. */
export type Sight = {
  readonly writes: readonly Write[]
  /** They changed while they were read. */
  readonly torn: readonly string[]
  /** They can't be read, and nobody has been told of it yet. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[]
}

/** What to look at. What `rested` names must still have that stat: with another it is being written, and torn. */
export type Looking = {
  readonly paths: readonly string[]
  readonly activity: GitActivity
  readonly rested?: ReadonlyMap<string, string | null | undefined>
}

type Looker = { readonly workspace: Workspace; readonly memory: Memory; readonly activity: GitActivity }

// More than this is not kept for the next diff.
const KEPT_BYTES_MAX = 1_048_576

/** Looks at paths and tells writes from what git did; remembers all but writes. */
export async function lookAt(
  workspace: Workspace,
  memory: Memory,
  { paths, activity, rested }: Looking,
): Promise<Sight> {
  const ours = paths.filter(path => !isRuntimePath(path))
  const kinds = await kindsOf({ workspace, memory, activity }, { paths: ours, rested })
  const sight = { writes: [] as Write[], torn: [] as string[], unreadable: [] as { path: string; why: string }[] }
  // How git sees a path says nothing next to an index that was read before.
  if (await isIndexNew(workspace, memory)) return { ...sight, torn: ours }
  const log = await logSize(workspace)
  for (const path of ours) {
    const at = workspace.clock.now()
    const standing = await standingAt(join(workspace.root, path))
    const why = unreadableBecause(path, standing)
    if (why !== null) sight.unreadable.push(...(await firstTold(workspace, memory, { path, why })))
    else if (isUnseen(standing) || isOther(standing, rested?.get(path))) sight.torn.push(path)
    // Between the patch and its commit nobody can say whose the staged lines are.
    else if (kinds.get(path) === 'staged' && (await activity.applying())) sight.torn.push(path)
    else {
      const found = { path, standing, looked: { at, log }, git: kinds.get(path) }
      sight.writes.push(...(await writeAt({ workspace, memory, activity }, found)))
    }
  }
  return sight
}

/** What the memory keeps of a look at a path that is recorded, or needs no record. */
export function knownAs({ after, standing, looked, git }: Write): Known {
  return { content: after, signature: standing?.signature ?? null, traced: true, at: looked.at, git }
}

function isUnseen(standing: Standing | null | Unseen): standing is Unseen {
  return standing !== null && 'unseen' in standing
}

// It was written between the look at its stat and the look into it: what stands there now may be half of it.
function isOther(standing: Standing | null, rested: string | null | undefined): boolean {
  return rested !== undefined && rested !== (standing?.signature ?? null)
}

// Git and Node show bytes that are not UTF-8 as U+FFFD, and no file is found under that name.
function unreadableBecause(path: string, standing: Standing | null | Unseen): string | null {
  if (standing === null) return path.includes('\ufffd') ? 'its name is not UTF-8' : null
  return isUnseen(standing) && standing.unseen === 'unreadable' ? standing.why : null
}

async function firstTold({ root }: Workspace, { unreadable }: Memory, { path, why }: { path: string; why: string }) {
  const signature = await signatureAt(join(root, path))
  if (unreadable.has(path) && unreadable.get(path) === signature) return []
  unreadable.set(path, signature)
  return [{ path, why }]
}

type Found = {
  readonly path: string
  readonly standing: Standing | null
  readonly looked: Looked
  readonly git: StatusEntry['kind'] | undefined
}

async function writeAt(looker: Looker, found: Found): Promise<Write[]> {
  const { workspace, memory } = looker
  const { path, standing, looked } = found
  const before = contentOf(memory, path)
  const after = standing && { oid: standing.oid, mode: standing.mode }
  const known = memory.known.get(path)
  const verdict = await judge(looker, found, { before, after })
  if (verdict === 'write') return [{ ...found, after, ...(await restoredAt(looker, found, { before, after })) }]
  const traced = verdict === 'sync' || (known?.traced ?? true)
  const seen = { content: after, signature: standing?.signature ?? null, traced, at: looked.at }
  memory.period.look(path, looked)
  if (found.git === 'staged' || found.git === 'dirty') keepStaged(memory, path)
  if (verdict === 'same') keepFiltered(memory, found, after)
  // A preexisting file that was touched, not changed, is as unknown as before.
  if (verdict !== 'ignored') remember(memory, path, seen)
  // What git brought back may be in no object by these bytes (line endings, LFS), or in none for long (a stash).
  const differs = verdict === 'sync' && memory.known.has(path)
  if (differs && standing?.bytes && standing.bytes.length <= KEPT_BYTES_MAX)
    await keepSnapshot(workspace, standing.oid, standing.bytes)
  return []
}

// A filter makes another blob of what is known.
function keepFiltered({ index, period }: Memory, { path, git }: Found, after: Content): void {
  const entry = git === undefined || git === 'staged' ? index.get(path) : undefined
  if (entry && after && entry.oid !== after.oid) period.keep(path, entry.oid)
}

/** What was known of a path, and what git may have brought back there since then, before somebody wrote. */
async function restoredAt({ memory, activity }: Looker, { path }: Found, { before, after }: Pair) {
  const entry = memory.index.get(path)
  const [known, since] = [memory.known.has(path), memory.known.get(path)?.at ?? 0]
  const { moved, all } = await activity.restored(path, { entry: known ? (entry?.oid ?? null) : null, since })
  // Git made the file, whoever went on with it.
  const isMade = before === null && moved !== null && moved !== after?.oid
  const made = isMade ? { oid: moved, mode: entry?.mode ?? '100644' } : before
  return { before: made, restored: all }
}

type Pair = { readonly before: Content; readonly after: Content }

async function judge(looker: Looker, found: Found, { before, after }: Pair) {
  const { workspace, memory } = looker
  const { path, standing } = found
  if (after && (await isOwnWrite(workspace, path, after.oid))) return 'sync'
  const tracked = memory.index.has(path)
  const git: WriteFacts['git'] = found.git ?? (tracked || standing === null ? 'clean' : 'ignored')
  const facts = { known: before, disk: after, knownFromIndex: tracked && !memory.known.has(path), git }
  const first = judgeWrite({ ...facts, ...NO_EVIDENCE })
  if (first !== 'write') return first
  return judgeWrite({ ...facts, ...(await evidenceOf(looker, { path, git, before, standing })) })
}

/** How git sees each of the paths that are not simply clean or ignored. */
async function kindsOf(
  { workspace, memory, activity }: Looker,
  { paths, rested }: { readonly paths: readonly string[]; readonly rested: Looking['rested'] | undefined },
): Promise<Map<string, StatusEntry['kind']>> {
  const kinds = new Map<string, StatusEntry['kind']>()
  for (const path of paths) {
    const { git, at } = memory.known.get(path) ?? {}
    // Who edits on does not change what it is to git.
    const isSame = typeof rested?.get(path) === 'string' && at !== undefined && !activity.workedSince(at)
    if (git !== undefined && isSame) kinds.set(path, git)
  }
  const others = paths.filter(path => !kinds.has(path))
  for (let n = 0; n < others.length; n += PATHS_A_CALL) {
    const entries = await workspace.git.ask(statusOf(others.slice(n, n + PATHS_A_CALL)))
    for (const { path, kind } of entries) kinds.set(path, kind)
  }
  return kinds
}

// Paths are at most 4 KiB, and a command line at least 128 KiB on every system that git runs on; most are far shorter.
const PATHS_A_CALL = 500
