import type { Commit } from '../trailers/commits.ts'
import type { Finding } from '../findings/finding.ts'

type RewrittenCommit = Pick<Commit, 'oid' | 'parents'>

/** The command that drops or changes a commit. */
export function rewriteHint(commit: RewrittenCommit): string {
  return `Drop or change that commit: \`${rebaseCommand(commit)}\``
}

/** A finding about an existing commit, with a hint that applies to it: nothing is staged any more. */
export function withRewriteHint(finding: Finding, commit: RewrittenCommit): Finding {
  if (finding.level === 'review' || finding.rule === 'policy-in-range') return finding
  if (MESSAGE_RULES.includes(finding.rule))
    return { ...finding, hint: `Reword that commit: \`${rebaseCommand(commit)}\`. ${finding.hint}` }
  return { ...finding, hint: rewriteHint(commit) }
}

const MESSAGE_RULES = ['intent-named', 'intent-known', 'trailer-misplaced', 'governance-reason', 'adoption']

function rebaseCommand({ oid, parents }: RewrittenCommit): string {
  const from = parents.length === 0 ? '--root' : `${oid.slice(0, 10)}^`
  return `git rebase --interactive${parents.length > 1 ? ' --rebase-merges' : ''} ${from}`
}
