/** A broken rule: data, many at once. `block` stops a commit, `review` is shown and lets it pass. */
export type Finding = {
  readonly rule: string
  readonly level: 'block' | 'review'
  /** Repository-relative, or null when the finding is about no single path. */
  readonly path: string | null
  /** One sentence without a final period when it ends in a path or id. */
  readonly message: string
  /** The way out, as a command to paste where there is one. */
  readonly hint: string
}

/** Something wrong in a file that kotef reads. `line` is 1-based, or null when the whole file is meant. */
export type Problem = {
  readonly file: string
  readonly line: number | null
  readonly expected: string
  readonly found: string
}
