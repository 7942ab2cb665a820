/** A range of history: the commits that `to` reaches and none of `without` does. */
export type VerifyRange = {
  /** The name in reports: the user's words, or the reference that a push moves. */
  readonly name: string
  /** The commit before the range; null when there is not exactly one. */
  readonly from: string | null
  /** The commit whose policy judges commits with no governed commit before them; null for none. */
  readonly base: string | null
  readonly to: string
  /** Commits, or options of git for several: `--remotes`, `--branches`. */
  readonly without: readonly string[]
  /** What the reader of the report has to know about the range; null for nothing. */
  readonly remark: string | null
  /** The tip of the branch that the range is to be merged into; null when there is none, or none is known. */
  readonly target: string | null
  /** Revisions besides `without` and the remotes' default branches whose commits were judged before. */
  readonly judged: readonly string[]
  /** The old tip of a default branch that a push moves: what others change in the policy is new there. Else null. */
  readonly movedFrom: string | null
  /** The old commit of the reference that `to` becomes the new one of; of a range that a user names, its beginning. */
  readonly replaces: { readonly commit: string; readonly kind: 'branch' | 'default-branch' | 'range' } | null
}
