/**
 * The commits that, by its message, a commit was made from: the reverted or picked commit, and each commit that
 * `git merge --squash` squashed. The names are those of the message, so they may be abbreviated.
 */
export function referencedCommits(message: string): string[] {
  const isSquash = message.includes('Squashed commit of the following:')
  const lines = isSquash ? [...REFERENCE_LINES, SQUASHED_COMMIT_LINE] : REFERENCE_LINES
  return [...new Set(lines.flatMap(line => [...message.matchAll(line)].map(([, name = '']) => name)))]
}

// With `git revert --no-commit` a person writes the message, so it may differ from git's.
const REFERENCE_LINES = [
  /^(?:this )?revert(?:s|ed)?(?: of)?(?: commit)? ([0-9a-f]{7,64})\b/gim,
  /^\(cherry picked from commit ([0-9a-f]{7,64})\)\r?$/gm,
]
const SQUASHED_COMMIT_LINE = /^commit ([0-9a-f]{40,64})\r?$/gm
