/**
 * A broken rule, as data. The level `block` stops a commit, `review` asks a person to look at something and stops
 * nothing. `warn` and `observe` would be `block` in a repository that enforces the rule; `observe` is not even printed.
 */
export type Finding = {
  readonly rule: string
  readonly level: 'block' | 'warn' | 'review' | 'observe'
  /** Repository-relative; null when the finding is not about one path. */
  readonly path: string | null
  /** One sentence without a final period when it ends in a path or id. */
  readonly message: string
  /** What to do about it; ends in a command to paste where there is one. */
  readonly hint: string
  /** Of the level `warn`: the day in UTC from which on it is `block`, such as 2026-12-05; absent for never. */
  readonly blocksFrom?: string
}

/** An error in a file that kotef reads. `line` is 1-based; null when the problem is about the whole file. */
export type Problem = {
  readonly file: string
  readonly line: number | null
  readonly expected: string
  readonly found: string
}
