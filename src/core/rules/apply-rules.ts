import type { Finding } from '../base/finding.ts'
import { INTENTIGNORE_PATH, PROJECT_POLICY_PATH } from '../base/governance-files.ts'
import { printable } from '../base/printable.ts'
import { blocksFrom, enforcementOf } from '../intents/enforcement.ts'
import type { PathVerdict, Policy } from '../intents/scope/policy.ts'
import { onlySettlesConflicts, type SortedChanges, sortChanges, type StagedFacts, takesBack } from './commit-facts.ts'
import { closedPathFinding, unstageHint } from './hints.ts'

/** A rule for commits: facts in, findings out. */
export type Rule<Facts extends StagedFacts = StagedFacts> = (facts: Facts, sorted: SortedChanges) => Finding[]

/** Applies rules in order. While git replays commits that were judged before, every finding is for review. */
export function applyRules<Facts extends StagedFacts>(facts: Facts, rules: readonly Rule<Facts>[]): Finding[] {
  const sorted = sortChanges(facts)
  const findings = rules.flatMap(rule => rule(facts, sorted))
  if (facts.replaying) return findings.map(it => ({ ...it, level: 'review' }))
  const ofCommit = facts.conflicted === null ? findings : findings.map(it => asMergeFinding(it, facts))
  const judged = ofCommit.map(it => asTakenBack(it, facts))
  return asEnforced(judged, facts.policy)
}

/** The findings with the levels at which a policy enforces their rules; of one that is let through, until when. */
export function asEnforced<T extends Finding>(
  findings: readonly T[],
  { enforcements }: Pick<Policy, 'enforcements'>,
): T[] {
  return findings.map(it => {
    if (it.level !== 'block') return it
    const level = enforcementOf(it.rule, enforcements)
    const until = level === 'warn' ? blocksFrom(it.rule, enforcements) : null
    return { ...it, level, ...(until !== null && { blocksFrom: until }) }
  })
}

// git asks a person to change the paths in conflict. Any other change in a merge is judged like a commit's.
function asMergeFinding(finding: Finding, facts: StagedFacts): Finding {
  const { path, message } = finding
  if (path === null) return onlySettlesConflicts(facts) ? { ...finding, level: 'review' } : finding
  if (facts.conflicted?.includes(path))
    return { ...finding, level: 'review', message: `${message}; it was in conflict`, hint: SETTLED_HINT }
  if (facts.brought?.includes(path))
    return { ...finding, message: `${message}; the merge brings it from a history that nobody judged` }
  return { ...finding, message: `${message}; the merge itself changes it` }
}

const SETTLED_HINT = 'A person looks at how the conflict is settled.'

// A person who reverts a change of a closed path gives it the content from before. Whether the path was open at the
// time of that change, or should never have been changed, a person sees.
function asTakenBack(finding: Finding, { byAgent, changes, inherited }: StagedFacts): Finding {
  if (byAgent || finding.level !== 'block' || !OF_CLOSED_PATHS.includes(finding.rule)) return finding
  const isBack = changes.some(it => it.path === finding.path && takesBack(it, inherited))
  if (!isBack) return finding
  const message = `${finding.message}; an earlier change of it is taken back`
  return { ...finding, level: 'review', message, hint: TAKEN_BACK_HINT }
}

const OF_CLOSED_PATHS = ['path-forbidden', 'path-ignored', 'constraint-path']

const TAKEN_BACK_HINT = 'A person looks whether that change should go.'

/** Forbidden and ignored paths, and paths without a canonical spelling, may not be changed for any intent. */
export const nothingIsBarred: Rule = (_, { barred }) => barred.map(barredFinding)

/** Without an intent, a person takes back a change that was for none. */
export const takenBackIsShown: Rule = (_, { takenBack }) =>
  takenBack.map(path => ({
    rule: 'in-scope',
    level: 'review',
    path,
    message: `${printable(path)} is owned by no open intent; an earlier change of it is taken back`,
    hint: TAKEN_BACK_HINT,
  }))

/** The finding of a path that no intent may change. */
export function barredFinding({ path, verdict }: SortedChanges['barred'][number]): Finding {
  if (verdict.kind === 'constraint') return closedPathFinding(path, verdict.constraint)
  return {
    rule: `path-${verdict.kind}`,
    level: 'block',
    path,
    message: `${printable(path)} ${barredReason(verdict)}`,
    hint: unstageHint(path),
  }
}

function barredReason(verdict: PathVerdict): string {
  if (verdict.kind === 'forbidden') return `is forbidden by ${PROJECT_POLICY_PATH} (${verdict.by})`
  if (verdict.kind === 'ignored') return `is closed to every intent by ${INTENTIGNORE_PATH} (${verdict.by})`
  return verdict.kind === 'malformed' ? `is not a path that can be judged: ${verdict.why}` : `is ${verdict.kind}`
}
