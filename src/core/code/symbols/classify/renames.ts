import type { BinderScope, NameRules } from './class-rules.ts'
import type { LeafPair, NodePair } from './compare-trees.ts'
import { isExposed, isMember, isNamedIn, isOdd, matches, type NamedTrees, parents, spaceOf } from './name-places.ts'
import type { NormalNode } from './normal-form.ts'

/** A local name that has another spelling now, with the rows of the line that binds it. */
export type Rename = { readonly from: string; readonly to: string; readonly row: number; readonly newRow: number }

/** The renames that explain every leaf that differs; or the first leaf that none of them explains, and why. */
export type RenameProof =
  | { readonly isProved: true; readonly renames: readonly Rename[] }
  | { readonly isProved: false; readonly leaf: LeafPair; readonly reason: string | null }

/**
 * Proves that leaves differ by consistent renames of local names only. In the scope of each binder that differs, every
 * use of the old name must be the new one, and the new one must not have been there: then each use finds the same
 * binder as before, and no use is captured.
 */
export function proveRenames(trees: NamedTrees): RenameProof {
  const open = new Set<number>()
  trees.leaves.forEach((it, at) => it.before.text !== it.after.text && open.add(at))
  const [first] = open
  if (first === undefined) return { isProved: true, renames: [] }
  if (trees.leaves.some(it => isOdd(it, trees.rules))) return unproved(trees, first, 'may be written in another way')
  const { reflection } = trees.rules
  if (trees.texts.some(it => reflection.test(it))) return unproved(trees, first, 'may be a value in this file')
  const renames: Rename[] = []
  let reason = 'is not local'
  for (const at of open) {
    const scope = scopeOf(trees, at)
    const refused = scope === null ? null : refusedRename(trees, { binder: at, open, ...scope })
    if (scope === null || refused !== null) {
      reason = refused ?? reason
      continue
    }
    const { before, after } = trees.leaves[at]!
    for (let it = scope.from; it < scope.to; it++)
      if (isRenameOf(trees, { leaf: it, binder: at, scope })) open.delete(it)
    renames.push({ from: before.text!, to: after.text!, row: before.row, newRow: after.row })
  }
  const [left] = open
  return left === undefined ? { isProved: true, renames } : unproved(trees, left, reason)
}

function unproved({ leaves, rules }: NamedTrees, leaf: number, reason: string): RenameProof {
  const isName = spaceOf(leaves[leaf]!.before, rules) !== null
  return { isProved: false, leaf: leaves[leaf]!, reason: isName ? reason : null }
}

type Renamed = { readonly leaf: number; readonly binder: number; readonly scope: Scope }

function isRenameOf(trees: NamedTrees, { leaf, binder, scope }: Renamed): boolean {
  const { leaves } = trees
  const one = leaves[leaf]!
  const other = leaves[binder]!
  const isSameName = one.before.text === other.before.text && one.after.text === other.after.text
  return isSameName && isInSpaces(spaceOf(one.before, trees.rules), scope) && !isMember(trees, leaf)
}

function isInSpaces(space: string | null, { spaces }: Scope): boolean {
  return space !== null && spaces.includes(space)
}

type Scope = {
  readonly from: number
  readonly to: number
  readonly spaces: readonly string[]
  readonly rules: BinderScope
  readonly declarers: number
}

/** The leaves in the scope of the name that a leaf binds; null for a leaf that binds none. */
function scopeOf({ leaves, nodes, rules }: NamedTrees, at: number): Scope | null {
  const { before, around } = leaves[at]!
  if (spaceOf(before, rules) === null) return null
  let child = before
  let level = around.length - 1
  const parentOf = (): NormalNode | undefined => nodes[around[level] ?? -1]?.before
  for (let parent = parentOf(); parent !== undefined && matches(rules.patterns, parent, child); parent = parentOf()) {
    child = parent
    level--
  }
  const parent = parentOf()
  const found = parent && binderScope(rules, parent, child)
  if (!found) return null
  const scope = scopeAround({ nodes, around: around.slice(0, level + 1) }, found)
  const spaces = [spaceOf(before, rules)!, ...(found.also ?? [])]
  return scope && { ...scope, spaces, rules: found, declarers: level }
}

function binderScope({ binders }: NameRules, parent: NormalNode, child: NormalNode): BinderScope | undefined {
  const exact = `${parent.type}.${child.field ?? ''}`
  return Object.hasOwn(binders, exact) ? binders[exact] : undefined
}

function scopeAround(
  { nodes, around }: { nodes: readonly NodePair[]; around: readonly number[] },
  { around: types, field, except }: BinderScope,
): { from: number; to: number } | null {
  const at = around.findLastIndex(it => types.includes(nodes[it]!.before.type))
  const node = nodes[around[at] ?? -1]
  // The outermost node is the file: other files can write its names, unless the scope says that it is meant.
  if (!node || except?.includes(node.before.type) || (around[at] === 0 && !types.includes('#file'))) return null
  const isExported = around.slice(at + 1).some(it => nodes[it]!.before.type === 'export_statement')
  if (isExported) return null
  if (field === undefined) return { from: node.from, to: node.to }
  const inner = node.before.children.find(it => it.field === field)
  return inner ? rangeOf(nodes, inner) : null
}

function rangeOf(nodes: readonly NodePair[], node: NormalNode): { from: number; to: number } | null {
  return nodes.find(it => it.before === node) ?? null
}

/** Why the renaming of a binder is not a proved one; null when it is. */
function refusedRename(trees: NamedTrees, scope: Scope & { binder: number; open: ReadonlySet<number> }): string | null {
  const { leaves, rules } = trees
  const { before, after } = leaves[scope.binder]!
  const from = before.text!
  const to = after.text!
  if (trees.texts.some(it => scope.rules.reflection?.test(it))) return 'is a value in this file'
  if (rules.reserved.test(from) || rules.reserved.test(to)) return 'has a meaning of its own'
  if (![from, to].every(it => scope.rules.names?.test(it) ?? true)) return 'is not local'
  if (leaves.some((_, at) => isNamedIn(trees, at, { types: rules.definitions, names: [from, to] }))) return UNSEEN
  if (scope.rules.isShared && leaves.some((_, at) => isAround(trees, { ...scope, at })))
    return 'may be the one of a scope around'
  for (let at = scope.from; at < scope.to; at++) {
    const it = leaves[at]!
    const texts = [it.before.text, it.after.text]
    if (isNamedIn(trees, at, { types: rules.mentions, names: [from, to] })) return UNSEEN
    if (![from, to].some(name => texts.includes(name))) continue
    if (isExposed(trees, at) || !isLocalHere(trees, at))
      return 'is also the name of a member, a key or a parameter that a caller writes'
    if (!isInSpaces(spaceOf(it.before, rules), scope) || isMember(trees, at)) continue
    const isSwapped = it.before.text === to && it.after.text === from && isSwap(trees, scope)
    if (isSwapped) continue
    if (it.before.text !== from || it.after.text !== to) return 'is renamed in part, or the new name was there before'
    // A use that is proved already is of a binder within this scope.
    if (scope.open.has(at) && isOutside(trees, { ...scope, at })) return 'is used where the name does not count yet'
  }
  return null
}

/** True for a use of the old or the new name in a scope around this one, but not in a scope beside it. */
function isAround(trees: NamedTrees, { at, ...scope }: Scope & { binder: number; at: number }): boolean {
  const { leaves, nodes, rules } = trees
  if (at >= scope.from && at < scope.to) return false
  const leaf = leaves[at]!
  const binder = leaves[scope.binder]!
  const names = [binder.before.text, binder.after.text]
  if (spaceOf(leaf.before, rules) === null || ![leaf.before.text, leaf.after.text].some(it => names.includes(it)))
    return false
  const own = leaf.around.findLast(it => scope.rules.around.includes(nodes[it]!.before.type)) ?? 0
  return nodes[own]!.from <= scope.from && nodes[own]!.to >= scope.to
}

/** True where a second binder of the same scope gets the name that the first one loses. */
function isSwap(trees: NamedTrees, scope: Scope & { binder: number }): boolean {
  const { leaves } = trees
  const { before, after } = leaves[scope.binder]!
  for (let at = scope.from; at < scope.to; at++) {
    const isPartner = leaves[at]!.before.text === after.text && leaves[at]!.after.text === before.text
    const other = isPartner ? scopeOf(trees, at) : null
    if (other && other.from === scope.from && other.to === scope.to) return true
  }
  return false
}

/** False for a name that something else than a local declares here, such as a class, or whose name is a value. */
function isLocalHere(trees: NamedTrees, at: number): boolean {
  const [nearest] = parents(trees, at)
  const space = spaceOf(trees.leaves[at]!.before, trees.rules)
  const scope =
    nearest?.child.field === 'name' && space !== null && !isMember(trees, at) ? scopeOf(trees, at) : undefined
  if (scope === null) return false
  return !trees.texts.some(it => scope?.rules.reflection?.test(it))
}

const UNSEEN = 'is named where the tree does not show what is meant'

/** True for a use in the scope's range at which the name means another binder, or may. */
function isOutside(trees: NamedTrees, { at, ...scope }: Scope & { binder: number; at: number }): boolean {
  if (at < scope.binder && !scope.rules.isHoisted) return true
  const { leaves, nodes, rules } = trees
  const own = leaves[scope.binder]!.around.slice(0, scope.declarers + 1)
  let child = leaves[at]!.before
  for (const it of leaves[at]!.around.toReversed()) {
    const { before, from } = nodes[it]!
    const isInScope = from >= scope.from
    if (isInScope && rules.hidden.includes(before.type) && !own.includes(it)) return true
    if (own.includes(it)) return isInScope && rules.outsideFields.includes(`${before.type}.${child.field ?? ''}`)
    child = before
  }
  return false
}
