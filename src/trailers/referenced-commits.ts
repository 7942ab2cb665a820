/**
 * The commits that a message says its own was made from: the one that was reverted or picked, and each that was
 * squashed by `git merge --squash`. They are named as in the message, perhaps shortened.
 */
export function referencedCommits(message: string): string[] {
  const isSquash = message.includes('Squashed commit of the following:')
  const lines = isSquash ? [...REFERENCE_LINES, SQUASHED_COMMIT_LINE] : REFERENCE_LINES
  return [...new Set(lines.flatMap(line => [...message.matchAll(line)].map(([, name = '']) => name)))]
}

// Who reverts with `--no-commit` says it in words of their own.
const REFERENCE_LINES = [
  /^(?:this )?revert(?:s|ed)?(?: of)?(?: commit)? ([0-9a-f]{7,64})\b/gim,
  /^\(cherry picked from commit ([0-9a-f]{7,64})\)\r?$/gm,
]
const SQUASHED_COMMIT_LINE = /^commit ([0-9a-f]{40,64})\r?$/gm
