/** Where a target really is: `path` is relative to the worktree for `inside`, else absolute. */
export type TargetLocation =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'git'; readonly path: string }
  | { readonly kind: 'worktree'; readonly path: string }
  | { readonly kind: 'outside'; readonly path: string }
  | { readonly kind: 'nowhere'; readonly why: string }

/** The facts of one target. It has several locations when links are in its path: its own name, and where they lead. */
export type TargetFact = {
  readonly spelling: string
  readonly locations: readonly TargetLocation[]
  /** The blob oid of the current file; null when there is no file. */
  readonly currentOid: string | null
  /** For a folder: the same for each path below it that the session knows. */
  readonly currentOidsBelow?: ReadonlyMap<string, string | null>
}
