import type { Commit } from '../diff/commits.ts'
import type { Finding } from '../report/finding.ts'

type Known = Pick<Commit, 'oid' | 'parents'>

/** The command that takes a commit out of history, or makes it anew. */
export function remake(commit: Known): string {
  return `Drop that commit, or make it anew: \`${rebaseFrom(commit)}\``
}

/** A finding of a commit that is made already, with a way out that holds for it: nothing is staged any more. */
export function mended(finding: Finding, commit: Known): Finding {
  if (finding.level === 'review' || finding.rule === 'policy-in-range') return finding
  if (IN_MESSAGE.includes(finding.rule))
    return { ...finding, hint: `Reword that commit: \`${rebaseFrom(commit)}\`. ${finding.hint}` }
  return { ...finding, hint: remake(commit) }
}

const IN_MESSAGE = ['intent-named', 'intent-known', 'trailer-misplaced', 'governance-reason', 'adoption']

function rebaseFrom({ oid, parents }: Known): string {
  const from = parents.length === 0 ? '--root' : `${oid.slice(0, 10)}^`
  return `git rebase --interactive${parents.length > 1 ? ' --rebase-merges' : ''} ${from}`
}
