import micromatch from 'micromatch'
import { globList } from '../../base/globs.ts'
import type { PolicyIntent } from './policy.ts'

type ScopedIntent = Pick<PolicyIntent, 'id' | 'owned_scope'>

/** Paths that two intents both own: tracked ones or, if there are none yet, a folder that both name. */
export type ScopeOverlap = {
  readonly intent: string
  /** The number of tracked paths that both own. */
  readonly paths: number
  /** The first of these paths, or the folder. */
  readonly example: string
}

/** The intents among `others` that own paths of this one as well. */
export function scopeOverlaps(
  intent: ScopedIntent,
  others: readonly ScopedIntent[],
  tracked: readonly string[],
): ScopeOverlap[] {
  const isOurs = globList(intent.owned_scope)
  const ours = tracked.filter(it => isOurs(it)?.kind === 'in')
  return others.flatMap(other => {
    const isTheirs = globList(other.owned_scope)
    const shared = ours.filter(it => isTheirs(it)?.kind === 'in')
    const example = shared[0] ?? commonFolder(intent, other)
    return example === undefined ? [] : [{ intent: other.id, paths: shared.length, example }]
  })
}

function commonFolder(a: ScopedIntent, b: ScopedIntent): string | undefined {
  const theirs = new Set(scopeFolders(b))
  return scopeFolders(a).find(it => theirs.has(it))
}

function scopeFolders({ owned_scope }: ScopedIntent): string[] {
  const bases = owned_scope.filter(it => !it.startsWith('!')).map(it => micromatch.scan(it).base)
  return bases.filter(it => it !== '')
}
