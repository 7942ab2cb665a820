import type { GitAuthor } from '../git/blame.ts'
import type { Authorship } from '../ledger/commit-record.ts'
import { certaintyText } from './certainty.ts'

/**
 * Who wrote a line, and how that is known. Where no record says it, git's author of the commit is a guess, with a
 * question mark as in `kotef blame`.
 */
export function authorWords({ author, by }: { readonly author: Authorship; readonly by: GitAuthor | null }): string {
  const { type, model_id: model } = author.contributor
  if (type !== 'unknown') return [type, ...(model === undefined ? [] : [model]), certaintyText(author)].join(' ')
  return by === null ? 'unknown' : `${by.name}? (author of the commit; nobody was recorded for this line)`
}
