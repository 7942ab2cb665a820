/** A question to git as a value: arguments, and a pure parser of the output. `io/git` runs it. */
export type GitQuery<T> = {
  readonly args: readonly string[]
  readonly parse: (stdout: string) => T
}
