import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { autoMerge, type Automatic, ownOfMerge, type OwnOfMerge, pathsBetween } from '../diff/merges.ts'
import { stagedChanges } from '../diff/staged.ts'
import { ask, type Place, tryAsk } from './place.ts'

/** What the merge that is about to be made adds to both sides; null when none is. */
export function stagedMerge(place: Place): OwnOfMerge | null {
  const others = mergedCommits(place)
  if (others.length === 0) return null
  const [first = [], ...rest] = ['HEAD', ...others].map(it => ask(stagedChanges(it)))
  const elsewhere = rest.map(changes => new Set(changes.map(it => it.path)))
  const changes = first.filter(change => elsewhere.every(it => it.has(change.path)))
  return ownOfMerge(changes, changes.length > 0 ? automatic(others) : { edited: [], conflicted: [] })
}

// Git tells what it makes of two sides. Where more of them agree there was nothing to put together.
function automatic(others: readonly string[]): Automatic {
  const [other = '', ...more] = others
  const merge = more.length === 0 ? tryAsk(autoMerge('HEAD', other)) : null
  if (merge) return { ...merge, edited: ask(stagedChanges(merge.tree)).map(it => it.path) }
  return { conflicted: others.flatMap(it => ask(pathsBetween('HEAD', it))), edited: null }
}

// `rev-parse MERGE_HEAD` would know the first one only. A clean merge has no such file when it asks pre-merge-commit,
// but names the other sides in the environment.
function mergedCommits({ gitDir, hook }: Place): string[] {
  const file = join(gitDir, 'MERGE_HEAD')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().split('\n')
  if (hook !== 'pre-merge-commit') return []
  const named = Object.keys(process.env).flatMap(it => /^GITHEAD_([0-9a-f]+)$/.exec(it)?.[1] ?? [])
  // A merge in another repository may have started all this.
  return named.filter(it => tryAsk({ args: ['cat-file', '-e', `${it}^{commit}`], parse: () => true }))
}
