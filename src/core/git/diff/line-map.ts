import { diffArrays } from 'diff'

/** The lines of a text (1-based) that an earlier text has too, each with its number there. */
export function earlierLines(before: readonly string[], after: readonly string[]): ReadonlyMap<number, number> {
  const head = commonLength(before, after)
  const tail = commonLength(before.slice(head).reverse(), after.slice(head).reverse())
  const kept = new Map<number, number>()
  for (let n = 1; n <= head; n++) kept.set(n, n)
  for (let n = 0; n < tail; n++) kept.set(after.length - n, before.length - n)
  const middle = [before, after].map(it => it.slice(head, it.length - tail))
  for (const [line, earlier] of keptBetween(middle[0] ?? [], middle[1] ?? [])) kept.set(line + head, earlier + head)
  return kept
}

// An editor's text seldom differs in more, and a diff takes the square of this.
const EDITS_MAX = 2_000

function keptBetween(before: readonly string[], after: readonly string[]): [line: number, earlier: number][] {
  const changes = diffArrays([...before], [...after], { maxEditLength: EDITS_MAX }) ?? []
  const kept: [number, number][] = []
  let line = 1
  let earlier = 1
  for (const { count, added, removed } of changes) {
    if (!added && !removed) for (let n = 0; n < count; n++) kept.push([line + n, earlier + n])
    line += removed ? 0 : count
    earlier += added ? 0 : count
  }
  return kept
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  let n = 0
  while (n < one.length && n < other.length && one[n] === other[n]) n++
  return n
}
