/** Three versions of a thing: that of the common ancestor, and those of both sides. */
export type ThreeWay<T> = { readonly base: T; readonly ours: T; readonly theirs: T }

/** Merges lists without repeated items: what a side added is added, what it removed is removed, ours come first. */
export function mergedKeys({ base, ours, theirs }: ThreeWay<readonly string[]>): string[] {
  const isKept = (it: string) => !base.includes(it) || (ours.includes(it) && theirs.includes(it))
  const onlyTheirsMoved = !isReordered(base, ours) && isReordered(base, theirs)
  const [frame, other] = onlyTheirsMoved ? [theirs, ours] : [ours, theirs]
  const merged = frame.filter(isKept)
  for (const [n, key] of other.entries()) {
    if (merged.includes(key) || !isKept(key)) continue
    const before = other.slice(0, n).findLast(it => merged.includes(it))
    let at = before === undefined ? 0 : merged.indexOf(before) + 1
    // After what the frame added in the same place.
    while (at < merged.length && !base.includes(merged[at] ?? '') && !other.includes(merged[at] ?? '')) at++
    merged.splice(at, 0, key)
  }
  return merged
}

function isReordered(base: readonly string[], side: readonly string[]): boolean {
  const both = side.filter(it => base.includes(it))
  return both.join('\0') !== base.filter(it => both.includes(it)).join('\0')
}
