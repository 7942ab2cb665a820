/** A question to git as a value: arguments, and a pure parser of the output. `world/io/git/` runs it. */
export type GitQuery<T> = {
  readonly args: readonly string[]
  readonly parse: (stdout: string) => T
}

/**
 * What git is given with every question: it prints no signature among the fields of a log, and finds trailers as kotef
 * writes them, whatever its user has set.
 */
export const LOG_OPTIONS: readonly string[] = ['-c', 'log.showSignature=false', '-c', 'trailer.separators=:']
