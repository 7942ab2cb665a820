import type { Finding } from '../base/finding.ts'
import type { Policy } from '../intents/scope/policy.ts'
import { asEnforced, barredFinding } from './apply-rules.ts'
import { intentsOwning, sortChanges, standingIntents } from './commit-facts.ts'
import { governanceAloneFinding, outOfScopeFinding } from './hints.ts'

/** The policy by which an edit is judged, and the intents that are selected in the worktree. */
export type EditContext = {
  readonly policy: Policy
  /** The intents of the live sessions of the worktree. */
  readonly live: readonly string[]
  /** True when only persons have sessions there: standing intents serve their changes too. */
  readonly byPersons: boolean
}

/**
 * What a commit of a file would be refused for, with the words of that refusal; null when nothing speaks against the
 * edit. Without a selected intent only a path that no intent may change is reported.
 */
export function judgeEdit(path: string, context: EditContext): Finding | null {
  const [finding] = asEnforced(findingsOfEdit(path, context), context.policy)
  return finding === undefined || finding.level === 'observe' ? null : finding
}

function findingsOfEdit(path: string, { policy, live, byPersons }: EditContext): Finding[] {
  const changes = [{ path, before: null, after: null }]
  const { barred, governanceFiles, work, judge } = sortChanges({ changes, policy, onlyTransitions: false })
  if (live.length === 0) return barred.map(barredFinding)
  const standing = byPersons ? standingIntents(policy) : []
  const serving = [...policy.intents.filter(it => live.includes(it.id)), ...standing]
  const outside = work.filter(it => intentsOwning(it, serving, judge).length === 0)
  return [
    ...barred.map(barredFinding),
    ...governanceFiles.map(it => governanceAloneFinding(it, governanceFiles)),
    ...outside.map(it => outOfScopeFinding(it, { policy, judge, cited: live })),
  ]
}
