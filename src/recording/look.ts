import { join } from 'node:path'
import { type Content, judgeWrite } from '../attribution/judge-write.ts'
import { blobOid } from '../diff/blob.ts'
import { type StatusEntry, statusOf } from '../diff/status.ts'
import { type Standing, standingAt } from '../io/worktree.ts'
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
}

/** Looks at paths and tells writes from what git did; remembers all but writes. `torn` ones changed meanwhile. */
export async function lookAt(
  workspace: Workspace,
  memory: Memory,
  { paths, activity }: { paths: readonly string[]; activity: GitActivity },
): Promise<{ writes: Write[]; torn: string[] }> {
  const ours = paths.filter(path => !isRuntimePath(path))
  const kinds = await kindsOf(workspace, ours)
  const writes: Write[] = []
  const torn: string[] = []
  for (const path of ours) {
    const standing = await standingAt(join(workspace.root, path))
    if (standing === 'torn') {
      torn.push(path)
      continue
    }
    const write: Write = { path, before: contentOf(memory, path), after: contentIn(standing), standing }
    const verdict = await judge(workspace, memory, { write, git: kinds.get(path) ?? null, activity })
    if (verdict === 'write') writes.push(write)
    else if (verdict !== 'ignored')
      remember(memory, path, { ...knownAs(write), traced: wasTraced(memory, path, verdict) })
  }
  return { writes, torn }
}

/** What the memory keeps of a look at a path that is recorded, or needs no record. */
export function knownAs({ after, standing }: Write): Known {
  return { content: after, signature: standing?.signature ?? null, traced: true }
}

// A preexisting file that was touched, not changed, is as unknown as before.
function wasTraced({ known }: Memory, path: string, verdict: 'same' | 'sync'): boolean {
  return verdict === 'sync' || (known.get(path)?.traced ?? true)
}

async function judge(
  workspace: Workspace,
  memory: Memory,
  { write, git, activity }: { write: Write; git: StatusEntry['kind'] | null; activity: GitActivity },
) {
  const { path, before, after, standing } = write
  if (after && (await isOwnWrite(workspace, path, after.oid))) return 'sync'
  const tracked = memory.index.has(path)
  const modifiedAt = standing?.modifiedAt ?? null
  return judgeWrite({
    known: before,
    disk: after,
    knownFromIndex: tracked && !memory.known.has(path),
    git: git ?? (tracked || standing === null ? 'clean' : 'ignored'),
    operation: activity.operation,
    bracketed: activity.brackets(modifiedAt),
    stagedAfterwards:
      after === null || modifiedAt === null ? activity.committed : await activity.knewOnlyAfter(after.oid, modifiedAt),
  })
}

function contentIn(standing: Standing | null): Content {
  return standing && { oid: blobOid(standing.bytes), mode: standing.mode }
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
