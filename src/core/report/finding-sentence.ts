import type { Finding } from '../base/finding.ts'

/** What is wrong, and from which day on that is refused, if it is not yet. */
export function findingSentence({ message, blocksFrom }: Pick<Finding, 'message' | 'blocksFrom'>): string {
  return blocksFrom === undefined ? message : `${message}; from ${blocksFrom} on it is refused`
}
