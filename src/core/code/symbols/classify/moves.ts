import type { MoveRules } from './class-rules.ts'
import type { NormalNode } from './normal-form.ts'

/** A part of a container: its key, or null where it may not move, and its rows. */
export type Mover = { readonly key: string | null; readonly row: number; readonly endRow: number }

/** A part that stands in another place now: its first and last row before, and its first row now. */
export type Moved = { readonly key: string; readonly from: number; readonly fromEnd: number; readonly to: number }

/** A tree in which all that may change places is in one order; and the parts of its containers in that of the text. */
export type OrderedTree = { readonly root: NormalNode; readonly movers: readonly (readonly Mover[])[] }

/** Puts what may change places in the order of its keys: two texts that differ by such moves have equal trees. */
export function orderedTree(root: NormalNode, rules: MoveRules, text: string): OrderedTree {
  const movers: (readonly Mover[])[] = []
  const order = (node: NormalNode): NormalNode => {
    const children = node.children.map(order)
    if (!rules.containers.includes(node.source.type)) return { ...node, children }
    const units = unitsOf({ ...node, children }, rules, text)
    movers.push(
      units.map(({ key, children: [first, ...more] }) => ({
        key,
        row: first!.row,
        endRow: (more.at(-1) ?? first)!.endRow,
      })),
    )
    return { ...node, children: inOrder(units, rules).flatMap(it => it.children) }
  }
  return { root: order(root), movers }
}

/** The parts of two trees of one shape that changed places. */
export function movedParts(before: OrderedTree, after: OrderedTree): Moved[] {
  return before.movers.flatMap((list, at) => {
    const other = after.movers[at] ?? []
    return list.flatMap(({ key, row, endRow }, index) => {
      if (key === null || other[index]?.key === key) return []
      return [{ key, from: row, fromEnd: endRow, to: other.find(it => it.key === key)?.row ?? row }]
    })
  })
}

/** A child of a container with what belongs to it: a key and a kind where it may move. */
type Unit = {
  readonly key: string | null
  readonly kind: string
  readonly passes: 'run' | 'all' | null
  readonly children: readonly NormalNode[]
}

function unitsOf(node: NormalNode, rules: MoveRules, text: string): Unit[] {
  const units: Unit[] = []
  let prefixes: NormalNode[] = []
  for (const child of node.children) {
    if (rules.prefixes.includes(child.source.type)) {
      prefixes.push(child)
      continue
    }
    const place = { node: child.source, parent: node.source, text, prefixes: prefixes.map(it => it.source) }
    const mover = isWhole(child) ? rules.movable(place) : null
    const children = [...prefixes, child]
    units.push(mover ? { ...mover, key: `${mover.kind} ${mover.key}`, children } : { ...FIXED, children })
    prefixes = []
  }
  if (prefixes.length > 0) units.push({ ...FIXED, children: prefixes })
  return withoutNamesakes(units)
}

const FIXED = { key: null, kind: '', passes: null } as const

// What the parser could not read may be anything.
function isWhole(node: NormalNode): boolean {
  return !node.type.startsWith('#')
}

function withoutNamesakes(units: readonly Unit[]): Unit[] {
  const counts = new Map<string, number>()
  for (const { key } of units) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1)
  return units.map(it => (it.key !== null && counts.get(it.key)! > 1 ? { ...FIXED, children: it.children } : it))
}

function inOrder(units: readonly Unit[], rules: MoveRules): Unit[] {
  const isSeparator = (it: Unit): boolean =>
    it.children.some(({ type, source }) => [type, source.type].some(name => rules.separators.includes(name)))
  return splitBefore(units, isSeparator).flatMap(part => {
    const first = part.filter(isSeparator)
    const section = part.filter(it => !isSeparator(it))
    const all = section.filter(it => it.passes === 'all')
    const rest = section.filter(it => it.passes !== 'all')
    return [...first, ...sorted(all), ...runsOf(rest).flatMap(sorted)]
  })
}

/** The units in runs: neighbours of one kind that may pass each other. */
function runsOf(units: readonly Unit[]): Unit[][] {
  const runs: Unit[][] = []
  for (const it of units) {
    const last = runs.at(-1)
    if (last && it.passes === 'run' && last[0]!.passes === 'run' && last[0]!.kind === it.kind) last.push(it)
    else runs.push([it])
  }
  return runs
}

function sorted(units: readonly Unit[]): Unit[] {
  return units.toSorted((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
}

function splitBefore<T>(list: readonly T[], isFirst: (it: T) => boolean): T[][] {
  const parts: T[][] = [[]]
  for (const it of list) {
    if (isFirst(it)) parts.push([])
    parts.at(-1)!.push(it)
  }
  return parts
}
