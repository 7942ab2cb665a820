import { sha256Hex } from '../base/sha256.ts'

/**
 * The worktree as far as the ledger shows it: the content of each path that was written since the run began. Two equal
 * ids mean equal files, so a run that undoes its own edits is back on a tree that it has seen.
 */
export type FollowedTree = {
  /** Up to which byte the ledger was read. */
  readonly ledgerBytes: number
  /** The blob oid of each written path, null for a removed file. */
  readonly paths: Readonly<Record<string, string | null>>
  /** Differs after writes that were too many to follow. */
  readonly base: string
  /** Its id on a commit, kept because hashing takes most of the time of an event that changes no file. */
  readonly named?: { readonly head: string; readonly name: string }
}

/** The tree at the start of a run, whose ledger ends at a byte. */
export function treeAtStart(ledgerBytes: number): FollowedTree {
  return { ledgerBytes, paths: {}, base: '' }
}

/** A path and its content after a write: a blob oid, or null. */
export type WrittenPath = readonly [path: string, after: string | null]

/** The tree after some writes. */
export function treeAfter(tree: FollowedTree, writes: readonly WrittenPath[]): FollowedTree {
  if (writes.length === 0) return tree
  const { ledgerBytes, base } = tree
  const paths = { ...tree.paths, ...Object.fromEntries(writes) }
  if (Object.keys(paths).length <= PATHS_MAX) return { ledgerBytes, base, paths }
  return { ledgerBytes, base: treeName(tree, writes.length.toString()), paths: {} }
}

// Each event of the run reads and writes them.
const PATHS_MAX = 1_000

/** The id of a tree on the commit that HEAD names: equal for equal files, as far as they are followed. */
export function treeName({ paths, base, named }: FollowedTree, head: string): string {
  if (named?.head === head) return named.name
  const sorted = Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256Hex(JSON.stringify([base, head, sorted])).slice(0, NAME_CHARS)
}

const NAME_CHARS = 16

/** The same tree, which keeps its id on a commit. */
export function withName(tree: FollowedTree, head: string): FollowedTree {
  return { ...tree, named: { head, name: treeName(tree, head) } }
}
