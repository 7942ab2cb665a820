import { groupBy } from '../../base/grouping.ts'
import { compareEntries, compareIntents, type MapEntry } from './map-entry.ts'
import { type IntentMap, mapBlock, readMapBlock } from './map-text.ts'

/** Three versions of the block of a map. */
export type BlockVersions = { readonly base: string; readonly ours: string; readonly theirs: string }

/**
 * Merges blocks declaration by declaration: what one side changed wins over what the other left. Never a conflict: of a
 * declaration that both sides changed, the lines of ours stay until the map is made of the merged history.
 */
export function mergeMapBlocks({ base, ours, theirs }: BlockVersions): string {
  const maps = [base, ours, theirs].map(readMapBlock)
  const groups = maps.map(groupsOf)
  const keys = new Set(groups.slice(1).flatMap(it => [...it.keys()]))
  const entries = [...keys].flatMap(key => mergedGroup(groups.map(it => it.get(key) ?? [])))
  return mapBlock({ entries: entries.sort(compareEntries), names: mergedNames(maps) })
}

function groupsOf({ entries }: IntentMap): ReadonlyMap<string, readonly MapEntry[]> {
  return groupBy(entries, ({ intent, path, name, kind }) => JSON.stringify([intent, path, name, kind]))
}

function mergedGroup([base = [], ours = [], theirs = []]: readonly (readonly MapEntry[])[]): readonly MapEntry[] {
  const isSame = (one: readonly MapEntry[], other: readonly MapEntry[]) => JSON.stringify(one) === JSON.stringify(other)
  if (isSame(ours, base)) return theirs
  if (isSame(theirs, base) || theirs.length === 0) return ours
  if (ours.length === 0) return theirs
  return base.length > 0 ? ours : union(ours, theirs)
}

function union(ours: readonly MapEntry[], theirs: readonly MapEntry[]): MapEntry[] {
  return [...ours, ...theirs.filter(it => ours.every(own => compareEntries(own, it) !== 0))]
}

function mergedNames([base, ours, theirs]: readonly IntentMap[]): ReadonlyMap<string, string> {
  const ids = [...new Set([...ours!.names.keys(), ...theirs!.names.keys()])].sort(compareIntents)
  return new Map(
    ids.map(id => {
      const [before, one, other] = [base, ours, theirs].map(it => it!.names.get(id))
      return [id, (one === before ? (other ?? one) : (one ?? other)) ?? '']
    }),
  )
}
