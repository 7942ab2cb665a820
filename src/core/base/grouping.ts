/** Groups items by a key. Groups and items keep their order. `Map.groupBy` needs Node 21. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return groups
}

/** Cuts a list into parts of at most `size` items. */
export function partsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))
}

/** Cuts a list into parts whose weights sum up to at most `weightMax`; a heavier item is a part of its own. */
export function partsByWeight<T>(items: readonly T[], weightOf: (item: T) => number, weightMax: number): T[][] {
  const parts: T[][] = []
  let room = -1
  for (const item of items) {
    const weight = weightOf(item)
    if (weight > room) {
      parts.push([])
      room = weightMax
    }
    parts.at(-1)?.push(item)
    room -= weight
  }
  return parts
}
