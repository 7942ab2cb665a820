import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '../worktree/workspace.ts'

/** A merge of git's: the tree that it came to, conflicts and all, on top of which HEAD, and when (ms since 1970). */
export type Merge = {
  readonly tree: string
  readonly onto: string | null
  readonly at: number
  /** When the tree was made: a stash put back where it was taken comes to what it holds, and nothing is merged. */
  readonly madeAt: number
}

/** Git's last merge of whatever kind, if nothing has taken away what it left. */
export function mergeNow({ gitDir, commonDir }: Workspace): Merge | null {
  try {
    const path = join(gitDir, 'AUTO_MERGE')
    const at = statSync(path).mtimeMs
    const tree = readFileSync(path, 'latin1').trim()
    return {
      at,
      tree,
      onto: headAt({ gitDir, commonDir }, at),
      madeAt: objectAt(commonDir, tree)?.mtimeMs ?? -Infinity,
    }
  } catch {
    return null
  }
}

/** Where HEAD was when a merge was done, by the end of its log: it may be a commit by now. Null without a log. */
function headAt({ gitDir, commonDir }: Pick<Workspace, 'gitDir' | 'commonDir'>, at: number): string | null {
  const [from, to] = endOf(join(gitDir, 'logs/HEAD'))
  if (!from || !to) return null
  const commit = objectAt(commonDir, to)
  return commit && commit.mtimeMs >= at ? from : to
}

function objectAt(commonDir: string, oid: string): Stats | undefined {
  return statSync(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2)), { throwIfNoEntry: false })
}

function endOf(path: string): string[] {
  let log: number | null = null
  try {
    log = openSync(path, 'r')
    const bytes = Buffer.alloc(LINE_BYTES_MAX)
    const read = readSync(log, bytes, 0, bytes.length, Math.max(0, fstatSync(log).size - bytes.length))
    const lines = bytes.toString('latin1', 0, read).match(/^[0-9a-f]{40,64} [0-9a-f]{40,64} /gm)
    return lines?.at(-1)?.split(' ') ?? []
  } catch {
    return []
  } finally {
    if (log !== null) closeSync(log)
  }
}

const LINE_BYTES_MAX = 4_096
