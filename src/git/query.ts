/** A question to git: its arguments, and a pure reader of what it prints. Running it is someone else's job. */
export type GitQuery<T> = {
  readonly args: readonly string[]
  readonly parse: (stdout: string) => T
}
