import { trackedAmong } from '../../../core/git/tracked-paths.ts'
import type { Git } from '../git/git.ts'
import { type NamedLine, placesIn } from '../../../core/outgoing/described-failure.ts'
import type { Workspace } from './workspace.ts'

/** The lines of tracked files that an output names, the first ones first; none when git does not answer. */
export async function trackedPlaces(
  { root, git }: Pick<Workspace, 'root'> & { readonly git: Pick<Git, 'tryAsk'> },
  output: string,
): Promise<NamedLine[]> {
  const named = placesIn(output, root)
  if (named.length === 0) return []
  const tracked = new Set(await git.tryAsk(trackedAmong(named.map(it => it.path))).catch(() => null))
  return named.filter(it => tracked.has(it.path))
}
