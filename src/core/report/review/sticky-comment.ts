/** A comment on a pull or merge request, as far as it matters whether it is kotef's. */
type KnownComment = { readonly id: number; readonly body: string; readonly isOwn: boolean }

/** What is to be done so that exactly one comment has the report. */
export type CommentPlan =
  | { readonly kind: 'create' }
  /** `remove` are further comments with a report: two pipelines may have made them at the same moment. */
  | { readonly kind: 'update'; readonly id: number; readonly remove: readonly number[] }

/**
 * Decides between a new comment and an earlier one. Only a comment of the same account that begins with the marker is
 * an earlier one: anybody can write the marker into a comment of their own, and edit that one later.
 */
export function commentPlan(comments: readonly KnownComment[]): CommentPlan {
  const [first, ...more] = comments.filter(it => it.isOwn && it.body.startsWith(MARKER))
  return first ? { kind: 'update', id: first.id, remove: more.map(it => it.id) } : { kind: 'create' }
}

/** A report as the text of a comment, with the marker, which is not shown, as its first line. */
export function commentText(report: string): string {
  return `${MARKER}\n${report}`
}

const MARKER = '<!-- kotef-report -->'
