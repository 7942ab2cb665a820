/** A path that a call would write, as it was spelled. */
export type Target = {
  readonly path: string
  /** Where the path is a folder, what is written are these names in it. */
  readonly into?: readonly string[]
  /** True where a folder stands for all that lies in it. */
  readonly tree?: boolean
  /** True for a word that may mean anything else: it is a path if something stands there. */
  readonly maybe?: boolean
}

/** Where a target really is. */
export type TargetLocation =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'git'; readonly path: string }
  | { readonly kind: 'worktree'; readonly path: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'nowhere'; readonly why: string }

/** What is known about a target: it is by its own name, and by where links lead, so it may be at several places. */
export type TargetFact = {
  readonly spelling: string
  readonly locations: readonly TargetLocation[]
  /** The blob oid of what stands there; null where no file does. */
  readonly currentOid: string | null
  /** Where a folder is meant: the same for each path below it of which it matters. */
  readonly currentOidsBelow?: ReadonlyMap<string, string | null>
}
