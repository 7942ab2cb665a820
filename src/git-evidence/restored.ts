import { broughtByGit, firstSource } from '../change-origin/timeline.ts'
import { intervalsSince } from '../change-origin/index-lock.ts'
import { contentAgeOf } from './content-age.ts'
import type { GitEvidence } from './git-evidence.ts'

/** Blobs: what moves of HEAD brought, and all that git may have put there. */
export type Restored = { readonly moved: string | null; readonly all: readonly string[] }

/** What git may have put at a path since it was seen, before somebody wrote there; `entry` is the index's blob. */
export async function restoredAt(
  evidence: GitEvidence,
  path: string,
  { entry, since }: { readonly entry: string | null; readonly since: number },
): Promise<Restored> {
  const worked = intervalsSince(evidence.intervals(), since)
  if (worked.length === 0) return { moved: null, all: [] }
  // While nobody watched, nothing shows in which order things were done.
  const wasWatched = worked.every(it => it.from > -Infinity)
  const history = await evidence.history()
  const isGits = async (oid: string): Promise<boolean> =>
    (wasWatched && (await contentAgeOf(evidence, { path, oid })).age !== 'this-epoch') ||
    firstSource(await history.at(path), oid) === 'git'
  const inspected = evidence.state.epoch.inspectedAt(path)
  const moved = broughtByGit((await history.at(path, { since: inspected, each: true })).moves)
  const indexed = entry !== null && (await isGits(entry)) ? entry : null
  return { moved, all: [moved, indexed, (await evidence.popped())(path)].filter(it => it !== null) }
}
