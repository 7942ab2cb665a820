import { isFinalStatus } from '../intents/lifecycle.ts'
import { haveTwoMeanings, type Intent } from '../intents/intent.ts'
import { type GovernanceChange, intentListChanges } from './governance-changes.ts'

/** The intents of a merge, of its parents, and of their common ancestor. */
export type MergedRegistry = {
  readonly base: readonly Intent[]
  readonly sides: readonly (readonly Intent[])[]
  readonly merged: readonly Intent[]
}

/** What a merge's registry allows more than git would make of both sides, also where they were in conflict. */
export function changesByMerge({ base, sides, merged }: MergedRegistry): GovernanceChange[] {
  const ids = [...new Set(sides.flat().map(it => it.id))]
  const expected = ids.map(id =>
    expectedIntent(
      withId(base, id),
      sides.flatMap(it => withId(it, id) ?? []),
    ),
  )
  return intentListChanges(expected, merged).filter(it => it.effect !== 'none')
}

/** The ids under which several sides of a merge added different intents. */
export function clashingIds({ base, sides }: Pick<MergedRegistry, 'base' | 'sides'>): string[] {
  const [first = [], ...others] = sides
  const added = first.filter(it => !withId(base, it.id))
  return added.filter(it => others.some(other => clashes(it, withId(other, it.id)))).map(it => it.id)
}

function clashes(one: Intent, other: Intent | null): boolean {
  return other !== null && haveTwoMeanings(one, other)
}

function withId(intents: readonly Intent[], id: string): Intent | null {
  return intents.find(it => it.id === id) ?? null
}

// Each list has what any side has, without what a side took out.
function expectedIntent(base: Intent | null, versions: readonly Intent[]): Intent {
  const [first] = versions as [Intent]
  const merge = <T>(list: (it: Intent) => readonly T[]) => mergedItems(base && list(base), versions.map(list))
  return {
    ...first,
    status: expectedStatus(base, versions),
    owned_scope: merge(it => it.owned_scope),
    constraints: merge(it => it.constraints),
    acceptance_criteria: merge(it => it.acceptance_criteria),
  }
}

function expectedStatus(base: Intent | null, versions: readonly Intent[]): Intent['status'] {
  const changed = versions.map(it => it.status).filter(it => it !== base?.status)
  return changed.find(isFinalStatus) ?? changed[0] ?? versions[0]?.status ?? 'PENDING'
}

function mergedItems<T>(base: readonly T[] | null, sides: readonly (readonly T[])[]): T[] {
  const keyed = sides.map(it => new Map(it.map(item => [JSON.stringify(item), item])))
  const removed = (base ?? []).map(it => JSON.stringify(it)).filter(it => keyed.some(side => !side.has(it)))
  const all = new Map(keyed.flatMap(it => [...it]))
  for (const it of removed) all.delete(it)
  return [...all.values()]
}
