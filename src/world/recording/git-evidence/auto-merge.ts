import { type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { readEndSync, readRegularFileSync } from '../../io/files/regular-file.ts'

/** A merge by git: the tree that it resulted in, conflicts and all, on top of which HEAD, and when (ms since 1970). */
export type AutoMerge = {
  readonly tree: string
  readonly onto: string | null
  readonly at: number
  readonly treeMadeAt: number
  /** When HEAD's log was last written, if that was before the merge and HEAD stayed where it was; else -Infinity. */
  readonly headStayedAt: number
}

/** Git's last merge of whatever kind, if nothing has removed what it left. */
export function readAutoMerge({ gitDir, commonDir }: Workspace): AutoMerge | null {
  try {
    const path = join(gitDir, 'AUTO_MERGE')
    const at = statSync(path).mtimeMs
    const tree = readRegularFileSync(path)?.toString('latin1').trim() ?? ''
    return {
      at,
      tree,
      onto: headAt({ gitDir, commonDir }, at),
      treeMadeAt: objectAt(commonDir, tree)?.mtimeMs ?? -Infinity,
      headStayedAt: headStayedBefore(gitDir, at),
    }
  } catch {
    return null
  }
}

function headStayedBefore(gitDir: string, time: number): number {
  const path = join(gitDir, 'logs/HEAD')
  const [from, to] = endOf(path)
  const log = statSync(path, { throwIfNoEntry: false })
  return log && from === to && log.mtimeMs < time ? log.mtimeMs : -Infinity
}

/** Where HEAD was when a merge was done, by the end of its log: it may be a commit by now. Null without a log. */
export function headAt({ gitDir, commonDir }: Pick<Workspace, 'gitDir' | 'commonDir'>, at: number): string | null {
  const [from, to] = endOf(join(gitDir, 'logs/HEAD'))
  if (!from || !to) return null
  const commit = objectAt(commonDir, to)
  return commit && commit.mtimeMs >= at ? from : to
}

function objectAt(commonDir: string, oid: string): Stats | undefined {
  return statSync(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2)), { throwIfNoEntry: false })
}

function endOf(path: string): string[] {
  try {
    const end = readEndSync(path, LINE_BYTES_MAX).toString('latin1')
    const lines = end.match(/^[0-9a-f]{40,64} [0-9a-f]{40,64} /gm)
    return lines?.at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}

const LINE_BYTES_MAX = 4_096
