import { join } from 'node:path'
import { layoutOf, ownPath } from './layout.ts'
import type { Workspace } from './workspace.ts'
import { LEFTOVER_MS_MAX, TEMPORARY_FILE_MS_MAX } from '../../../core/base/thresholds.ts'

/** Files in kotef's own folders of a worktree that are no longer needed. */
export type Leftovers = {
  /** Temporary files of writes that were cut off, after an hour. */
  readonly halfWritten: readonly string[]
  /** Markers of kotef's own writes, after 30 days. */
  readonly ownWrites: readonly string[]
  /** Files of sessions that ended 30 days ago. */
  readonly ended: readonly string[]
  /** Models of agents' sessions whose end was not reported, after 30 days. */
  readonly models: readonly string[]
}

/** Finds the files that can be removed. */
export async function findLeftovers(workspace: Workspace): Promise<Leftovers> {
  const { own, compiled, shared, sessions } = layoutOf(workspace)
  const folders = [...new Set([own, compiled, shared, sessions, ownPath(workspace, 'windows')])]
  const unfinished = await Promise.all(
    folders.map(it => olderThan(workspace, it, { ms: TEMPORARY_FILE_MS_MAX, pattern: HALF_WRITTEN })),
  )
  return {
    halfWritten: unfinished.flat(),
    ownWrites: await olderThan(workspace, ownPath(workspace, 'own-writes'), { ms: LEFTOVER_MS_MAX, pattern: /./ }),
    ended: await olderThan(workspace, join(sessions, 'ended'), { ms: LEFTOVER_MS_MAX, pattern: /\.json$/ }),
    models: await olderThan(workspace, ownPath(workspace, 'models'), { ms: LEFTOVER_MS_MAX, pattern: /./ }),
  }
}

// The temporary names of files and locks. They exist for milliseconds, unless the process is killed.
const HALF_WRITTEN = /\.tmp$|\.new$|\.lock\.[\da-f-]{36}$/

type AgeFilter = { readonly ms: number; readonly pattern: RegExp }

async function olderThan({ files, clock }: Workspace, folder: string, { ms, pattern }: AgeFilter): Promise<string[]> {
  const paths = (await files.list(folder)).filter(it => pattern.test(it)).map(it => join(folder, it))
  const times = await Promise.all(paths.map(it => files.modifiedAt(it)))
  return paths.filter((_, n) => clock.now() - (times[n] ?? clock.now()) > ms).sort()
}
