import type { NameRules } from './class-rules.ts'
import type { LeafPair, NodePair } from './compare-trees.ts'
import type { NormalNode } from './normal-form.ts'

/** Two trees of one shape, with both texts and the rules of names. */
export type NamedTrees = {
  readonly leaves: readonly LeafPair[]
  readonly nodes: readonly NodePair[]
  readonly texts: readonly [string, string]
  readonly rules: NameRules
}

/** True for a name that the language may take for another spelling of a name. */
export function isOdd({ before, after }: LeafPair, rules: NameRules): boolean {
  if (spaceOf(before, rules) === null) return false
  return [before.text!, after.text!].some(it => /^(?:@|r#)|\\/.test(it) || it !== it.normalize('NFKC'))
}

/** The name space of a leaf; null for a leaf that does not name anything. */
export function spaceOf(leaf: NormalNode, { spaces }: NameRules): string | null {
  return Object.hasOwn(spaces, leaf.type) ? spaces[leaf.type]! : null
}

/** True where a list has the type of a node, or that type with the field of its child. */
export function matches(list: readonly string[], parent: NormalNode, child: NormalNode): boolean {
  return list.includes(parent.type) || list.includes(`${parent.type}.${child.field ?? ''}`)
}

/** The nodes around a leaf, from the nearest one, each with the child that leads to the leaf. */
export function* parents(
  { leaves, nodes }: NamedTrees,
  at: number,
): Generator<{ parent: NormalNode; child: NormalNode }> {
  let child = leaves[at]!.before
  for (const it of leaves[at]!.around.toReversed()) {
    const parent = nodes[it]!.before
    yield { parent, child }
    child = parent
  }
}

/** True for a name that is a member or a key, not a variable. */
export function isMember(trees: NamedTrees, at: number): boolean {
  const [nearest] = parents(trees, at)
  return nearest !== undefined && trees.rules.members.includes(`${nearest.parent.type}.${nearest.child.field ?? ''}`)
}

/** True where a local name is also a name that others see. */
export function isExposed(trees: NamedTrees, at: number): boolean {
  const { exposed } = trees.rules
  if (exposed.includes(trees.leaves[at]!.before.type)) return true
  const [nearest] = parents(trees, at)
  return nearest !== undefined && matches(exposed, nearest.parent, nearest.child)
}

/** True for a leaf that mentions a name, in a node of one of these types. */
export function isNamedIn(
  trees: NamedTrees,
  at: number,
  { types, names }: { types: readonly string[]; names: readonly string[] },
): boolean {
  const { before, after } = trees.leaves[at]!
  if (!names.some(it => mentions(before.text, it) || mentions(after.text, it))) return false
  if (types.includes(before.type) || types.includes(before.source.type)) return true
  for (const { parent } of parents(trees, at))
    if (types.includes(parent.type) || types.includes(parent.source.type)) return true
  return false
}

function mentions(text: string | null, name: string): boolean {
  const escaped = name.replace(/[$]/g, '\\$&')
  return text !== null && new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'u').test(text)
}
