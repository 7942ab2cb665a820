import { join } from 'node:path'
import { readStatSummary } from '../io/files/file-state.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { type Patience, putBack, restOf, restOfGone, type Settling, type Waiting } from './settle.ts'

/** Paths to look at, with the stat with which each has rested; undefined for one that never rests. */
export type StableFiles = ReadonlyMap<string, string | null | undefined>

type StabilityContext = {
  readonly settling: Settling
  readonly patience: Patience
  readonly gitMovedAt: number
  /** True of a path that git may take away again when it stands there: its loss is staged. */
  readonly isGone: (path: string) => boolean
}

/** Of settled paths, those that have rested as long as their size asks for; the others wait on. */
export async function selectStable(
  { root, clock }: Workspace,
  due: readonly [string, Waiting][],
  { settling, patience, gitMovedAt, isGone }: StabilityContext,
): Promise<StableFiles> {
  const stable = new Map<string, string | null | undefined>()
  for (const [path, waiting] of due) {
    const stat = await readStatSummary(join(root, path))
    const now = clock.ticks()
    const outline = stat && { bytes: stat.bytes, ageMs: clock.now() - stat.modifiedAt }
    const wait =
      (outline && restOf(waiting, outline, { now, patience })) ??
      (outline && !isGone(path) ? null : restOfGone(waiting, { now, gitMovedAt, patience }))
    const isRestless = now - waiting.firstAt >= patience.waitMsMax
    if (wait) putBack(settling, path, wait)
    else stable.set(path, isRestless ? undefined : (stat?.signature ?? null))
  }
  return stable
}
