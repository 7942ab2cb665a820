import { join } from 'node:path'
import { outlineAt } from '../io/worktree.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Patience, putBack, restOf, restOfGone, type Settling, type Waiting } from './settle.ts'

/** Paths to look at, with the stat with which each has rested; undefined for one that never rests. */
export type Ready = ReadonlyMap<string, string | null | undefined>

type Rest = {
  readonly settling: Settling
  readonly patience: Patience
  readonly gitMovedAt: number
  /** True of a path that git may take away again when it stands there: its loss is staged. */
  readonly isGone: (path: string) => boolean
}

/** Of settled paths, those that have rested as long as their size asks for; the others wait on. */
export async function rested(
  { root, clock }: Workspace,
  due: readonly [string, Waiting][],
  { settling, patience, gitMovedAt, isGone }: Rest,
): Promise<Ready> {
  const ready = new Map<string, string | null | undefined>()
  for (const [path, waiting] of due) {
    const found = await outlineAt(join(root, path))
    const now = clock.ticks()
    const outline = found && { bytes: found.bytes, ageMs: clock.now() - found.modifiedAt }
    const rest =
      (outline && restOf(waiting, outline, { now, patience })) ??
      (outline && !isGone(path) ? null : restOfGone(waiting, { now, gitMovedAt, patience }))
    const isRestless = now - waiting.firstAt >= patience.waitMsMax
    if (rest) putBack(settling, path, rest)
    else ready.set(path, isRestless ? undefined : (found?.signature ?? null))
  }
  return ready
}
