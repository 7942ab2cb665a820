import { BROKEN, type NormalNode, RAW } from './normal-form.ts'

/** A leaf of two trees of one shape, with both texts. Positions count the leaves of the tree. */
export type LeafPair = {
  readonly before: NormalNode
  readonly after: NormalNode
  /** The nodes around the leaf before the change, by their place in `nodes`, the nearest last. */
  readonly around: readonly number[]
}

/** A node around leaves of both trees: the leaves from `from` up to `to` are in it. */
export type NodePair = { readonly before: NormalNode; readonly from: number; to: number }

/** Two trees of one shape, or the first place at which they are not. */
export type Comparison =
  | { readonly isSame: true; readonly leaves: readonly LeafPair[]; readonly nodes: readonly NodePair[] }
  | { readonly isSame: false; readonly before: NormalNode; readonly after: NormalNode }

/** Compares two trees node by node. The leaves of trees of one shape may differ in their texts. */
export function compareTrees(before: NormalNode, after: NormalNode): Comparison {
  const leaves: LeafPair[] = []
  const nodes: NodePair[] = []
  const around: number[] = []
  let difference: { before: NormalNode; after: NormalNode } | null = null

  const compare = (one: NormalNode, other: NormalNode): boolean => {
    if (!isOfOneShape(one, other)) {
      difference = firstDifference(one, other)
      return false
    }
    if (one.text !== null) {
      leaves.push({ before: one, after: other, around: [...around] })
      return true
    }
    const node: NodePair = { before: one, from: leaves.length, to: leaves.length }
    around.push(nodes.push(node) - 1)
    const isSame = one.children.every((it, at) => compare(it, other.children[at]!))
    node.to = leaves.length
    around.pop()
    return isSame
  }

  return compare(before, after)
    ? { isSame: true, leaves, nodes }
    : { isSame: false, before: difference!.before, after: difference!.after }
}

/** The first parts in which two nodes differ: themselves, or children of theirs. */
function firstDifference(before: NormalNode, after: NormalNode): { before: NormalNode; after: NormalNode } {
  const isSplit = before.type === after.type && before.text === null && after.text === null
  const at = isSplit ? before.children.findIndex((it, n) => !isEqual(it, after.children[n])) : -1
  const one = before.children[at]
  const other = after.children[at]
  if (one && other && one.type === other.type) return firstDifference(one, other)
  return one && other ? { before: one, after: other } : { before, after }
}

function isEqual(one: NormalNode, other: NormalNode | undefined): boolean {
  if (other === undefined || one.type !== other.type || one.text !== other.text) return false
  return one.children.length === other.children.length && one.children.every((it, n) => isEqual(it, other.children[n]))
}

function isOfOneShape(one: NormalNode, other: NormalNode): boolean {
  if (one.type !== other.type || one.field !== other.field) return false
  if (one.type === RAW || one.type === BROKEN) return one.text === other.text
  return (one.text === null) === (other.text === null) && one.children.length === other.children.length
}
