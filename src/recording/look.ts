import { join } from 'node:path'
import { type Content, judgeWrite } from '../attribution/judge-write.ts'
import { type StatusEntry, statusOf } from '../diff/status.ts'
import { signatureAt, type Standing, standingAt, type Unseen } from '../io/worktree.ts'
import type { GitActivity } from './git-activity.ts'
import { contentOf, type Known, type Memory, remember } from './memory.ts'
import { isOwnWrite, isRuntimePath } from '../workspace/own-writes.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A path that somebody wrote: what was known of it, and what stands there now. */
export type Write = {
  readonly path: string
  readonly before: Content
  readonly after: Content
  readonly standing: Standing | null
  /** The index's blob, when git may have brought it back since `before` was seen. */
  readonly restored: Content
}

/** What a look at some paths came to. */
export type Sight = {
  readonly writes: readonly Write[]
  /** They changed while they were read. */
  readonly torn: readonly string[]
  /** They can't be read, and nobody has been told of it yet. */
  readonly unreadable: readonly { readonly path: string; readonly why: string }[]
}

type Looker = { readonly workspace: Workspace; readonly memory: Memory; readonly activity: GitActivity }

/** Looks at paths and tells writes from what git did; remembers all but writes. */
export async function lookAt(
  workspace: Workspace,
  memory: Memory,
  { paths, activity }: { paths: readonly string[]; activity: GitActivity },
): Promise<Sight> {
  const ours = paths.filter(path => !isRuntimePath(path))
  const kinds = await kindsOf(workspace, ours)
  const sight = { writes: [] as Write[], torn: [] as string[], unreadable: [] as { path: string; why: string }[] }
  for (const path of ours) {
    const standing = await standingAt(join(workspace.root, path))
    const why = unreadableBecause(path, standing)
    if (why !== null) sight.unreadable.push(...(await firstTold(workspace, memory, { path, why })))
    else if (isUnseen(standing)) sight.torn.push(path)
    else
      sight.writes.push(...(await writeAt({ workspace, memory, activity }, { path, standing, git: kinds.get(path) })))
  }
  return sight
}

/** What the memory keeps of a look at a path that is recorded, or needs no record. */
export function knownAs({ after, standing }: Write, at: number): Known {
  return { content: after, signature: standing?.signature ?? null, traced: true, at }
}

function isUnseen(standing: Standing | null | Unseen): standing is Unseen {
  return standing !== null && 'unseen' in standing
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
  readonly git: StatusEntry['kind'] | undefined
}

async function writeAt(looker: Looker, { path, standing, git }: Found): Promise<Write[]> {
  const { workspace, memory, activity } = looker
  const before = contentOf(memory, path)
  const after = standing && { oid: standing.oid, mode: standing.mode }
  const known = memory.known.get(path)
  const entry = memory.index.get(path)
  const restored = known && entry && (await activity.mayHaveRestored(entry.oid, known.at)) ? entry : null
  const write: Write = { path, before, after, standing, restored }
  const verdict = await judge(looker, write, git ?? null)
  if (verdict === 'write') return [write]
  const traced = verdict === 'sync' || (known?.traced ?? true)
  // A preexisting file that was touched, not changed, is as unknown as before.
  if (verdict !== 'ignored') remember(memory, path, { ...knownAs(write, workspace.clock.now()), traced })
  return []
}

async function judge({ workspace, memory, activity }: Looker, write: Write, git: StatusEntry['kind'] | null) {
  const { path, before, after, standing } = write
  if (after && (await isOwnWrite(workspace, path, after.oid))) return 'sync'
  const tracked = memory.index.has(path)
  const known = memory.known.get(path)
  return judgeWrite({
    known: before,
    disk: after,
    knownFromIndex: tracked && !known,
    git: git ?? (tracked || standing === null ? 'clean' : 'ignored'),
    operation: activity.operation,
    // Git deletes what it tracked; what it never knew was deleted by somebody else.
    bracketed: standing ? activity.brackets(standing.modifiedAt) : known?.indexed === true && activity.lately,
    stagedAfterwards: standing ? await activity.knewOnlyAfter(standing.oid, standing.modifiedAt) : activity.committed,
  })
}

/** How git sees each of the paths that are not simply clean or ignored. */
async function kindsOf(workspace: Workspace, paths: readonly string[]): Promise<Map<string, StatusEntry['kind']>> {
  const kinds = new Map<string, StatusEntry['kind']>()
  for (let n = 0; n < paths.length; n += PATHS_A_CALL) {
    const entries = await workspace.git.ask(statusOf(paths.slice(n, n + PATHS_A_CALL)))
    for (const { path, kind } of entries) kinds.set(path, kind)
  }
  return kinds
}

// Paths are at most 4 KiB, and a command line at least 128 KiB on every system that git runs on; most are far shorter.
const PATHS_A_CALL = 500
