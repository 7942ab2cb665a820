import type { Commit } from '../trailers/commits.ts'
import type { Finding } from '../findings/finding.ts'
import { printable } from '../text/printable.ts'

/** What the policy from before some commits does not allow, though the one that they bring themselves does. */
export function policyInRange(finding: Finding, changedBy: Pick<Commit, 'oid' | 'subject'> | null): Finding {
  const who = changedBy ? `${changedBy.oid.slice(0, 10)} (${printable(changedBy.subject)})` : 'a commit'
  return {
    ...finding,
    rule: 'policy-in-range',
    message: `${finding.message} by the policy from before this range, and ${who} changes that in the same range`,
    hint: 'Have the change of the policy merged first, by itself: `kotef explain policy-in-range`',
  }
}
