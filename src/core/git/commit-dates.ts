import type { GitQuery } from './query.ts'

/** The committers' dates of a commit and its parents, in milliseconds since 1970. */
export function datesUpTo(oid: string): GitQuery<number[]> {
  return {
    args: ['show', '--no-patch', '--no-show-signature', '--format=%ct', oid, `${oid}^@`, '--'],
    parse: out =>
      out
        .split('\n')
        .slice(0, -1)
        .map(it => Number(it) * 1_000),
  }
}
