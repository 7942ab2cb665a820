import { KotefError } from '../../../core/base/failure.ts'
import { LOG_OPTIONS, type GitQuery } from '../../../core/git/query.ts'
import { runSync } from '../process/run.ts'

/** The questions of the `Git` port, answered before the next line runs: a git hook does one thing at a time. */
export type GitSync = {
  ask<T>(query: GitQuery<T>): T
  /** As `ask`, but null when git fails. What git prints while it says "no" by exit code 1 is an answer. */
  tryAsk<T>(query: GitQuery<T>): T | null
}

/**
 * Git in this process's folder and environment, so with the index of the commit that is being made. `prefetched` gives
 * what git has printed already for some arguments, or null.
 */
export function gitSync(prefetched: (args: readonly string[]) => string | null): GitSync {
  const tryAsk = <T>({ args, parse }: GitQuery<T>): T | null => {
    const known = prefetched(args)
    if (known !== null) return parse(known)
    const { status, stdout } = runSync('git', [...LOG_OPTIONS, ...args])
    return status === 0 || (status === 1 && stdout !== '') ? parse(stdout) : null
  }
  const ask = <T>(query: GitQuery<T>): T => {
    const answer = tryAsk(query)
    if (answer === null) throw new KotefError('git-failed', `git ${query.args.join(' ')} failed.`)
    return answer
  }
  return { ask, tryAsk }
}
