import { join } from 'node:path'
import { layoutOf } from './layout.ts'
import type { Workspace } from './workspace.ts'

/** The files that kotef left in its own folders of a worktree, and nobody will need again. */
export type Leftovers = {
  readonly halfWritten: readonly string[]
  /** Markers of what kotef itself wrote, 30 days after. */
  readonly ownWrites: readonly string[]
  /** Sessions that ended 30 days ago. */
  readonly ended: readonly string[]
  /** What agents' sessions began with that never said that they ended. */
  readonly models: readonly string[]
}

/** Looks for what can go. */
export async function findLeftovers(workspace: Workspace): Promise<Leftovers> {
  const { own, compiled, shared, sessions } = layoutOf(workspace)
  const folders = [...new Set([own, compiled, shared, sessions])]
  const unfinished = await Promise.all(
    folders.map(it => olderThan(workspace, it, { ms: HOUR_MS, pattern: HALF_WRITTEN })),
  )
  return {
    halfWritten: unfinished.flat(),
    ownWrites: await olderThan(workspace, join(own, 'own-writes'), { ms: MONTH_MS, pattern: /./ }),
    ended: await olderThan(workspace, join(sessions, 'ended'), { ms: MONTH_MS, pattern: /\.json$/ }),
    models: await olderThan(workspace, join(own, 'models'), { ms: MONTH_MS, pattern: /./ }),
  }
}

const HOUR_MS = 3_600_000
const MONTH_MS = 30 * 24 * HOUR_MS

// A write takes milliseconds from its temporary name to its own, and a lock from its claim to its place.
const HALF_WRITTEN = /\.tmp$|\.new$|\.lock\.[\da-f-]{36}$/

type AgeFilter = { readonly ms: number; readonly pattern: RegExp }

async function olderThan({ files, clock }: Workspace, folder: string, { ms, pattern }: AgeFilter): Promise<string[]> {
  const paths = (await files.list(folder)).filter(it => pattern.test(it)).map(it => join(folder, it))
  const times = await Promise.all(paths.map(it => files.modifiedAt(it)))
  return paths.filter((_, n) => clock.now() - (times[n] ?? clock.now()) > ms).sort()
}
