import type { Commit } from '../trailers/commits.ts'
import type { Finding } from '../findings/finding.ts'

type RewrittenCommit = Pick<Commit, 'oid' | 'parents'>

/** The command that takes a commit out of history, or makes it anew. */
export function rewriteHint(commit: RewrittenCommit): string {
  return `Drop that commit, or make it anew: \`${rebaseCommand(commit)}\``
}

/** A finding of a commit that is made already, with a way out that holds for it: nothing is staged any more. */
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
