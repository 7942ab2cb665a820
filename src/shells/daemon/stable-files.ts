import { join } from 'node:path'
import { goneFolders, readStatSummary } from '../../world/io/files/file-state.ts'
import { inTurns, mapSome } from '../../world/recording/observation/turns.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { type Patience, putBack, restOf, restOfGone, type Settling, type Waiting } from './settle.ts'

/** Paths to inspect, each with the stat that has been stable; undefined for a file that is written without a pause. */
export type StableFiles = ReadonlyMap<string, string | null | undefined>

type StabilityContext = {
  readonly settling: Settling
  readonly patience: Patience
  readonly gitMovedAt: number
  /** True for a path whose removal is staged. Git may remove such a file again that it has just restored. */
  readonly isGone: (path: string) => boolean
}

/** Selects the due paths whose file has been stable long enough for its size. The others go on waiting. */
export async function selectStable(
  { root, clock }: Workspace,
  due: readonly [string, Waiting][],
  { settling, patience, gitMovedAt, isGone }: StabilityContext,
): Promise<StableFiles> {
  const stable = new Map<string, string | null | undefined>()
  const isFolderGone = goneFolders(root)
  const stats = await mapSome(due, async ([path]) =>
    (await isFolderGone(path)) ? null : readStatSummary(join(root, path)),
  )
  for await (const part of inTurns(due.entries()))
    for (const [n, [path, waiting]] of part) {
      const stat = stats[n] ?? null
      const now = clock.ticks()
      const outline = stat && { bytes: stat.bytes, ageMs: clock.now() - stat.modifiedAt }
      const wait =
        (outline && restOf(waiting, outline, { now, patience })) ??
        (outline && !isGone(path) ? null : restOfGone(waiting, { now, gitMovedAt, patience }))
      const isRestless = now - waiting.firstAt >= patience.waitMsMax
      if (wait) putBack(settling, path, wait)
      else stable.set(path, isRestless && stat ? undefined : (stat?.signature ?? null))
    }
  return stable
}
