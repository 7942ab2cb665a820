import type { Finding } from '../report/finding.ts'
import { printable } from '../report/printable.ts'
import type { Verdict } from '../scope/policy.ts'
import { onlySettlesConflicts, type Sorted, sortChanges, type StagedFacts } from './facts.ts'
import { unstage } from './words.ts'

/** One rule of a commit: facts in, findings out. */
export type Rule<Facts extends StagedFacts = StagedFacts> = (facts: Facts, sorted: Sorted) => Finding[]

/** Applies rules in order. While git replays what was judged elsewhere, everything found is for review only. */
export function settled<Facts extends StagedFacts>(facts: Facts, rules: readonly Rule<Facts>[]): Finding[] {
  const sorted = sortChanges(facts)
  const findings = rules.flatMap(rule => rule(facts, sorted))
  if (facts.replaying) return findings.map(it => ({ ...it, level: 'review' }))
  return facts.conflicted === null ? findings : findings.map(it => ofMerge(it, facts))
}

// Who settles a conflict changes what git asked for; what else a merge changes is work like any other.
function ofMerge(finding: Finding, facts: StagedFacts): Finding {
  const { path, message } = finding
  if (path === null) return onlySettlesConflicts(facts) ? { ...finding, level: 'review' } : finding
  if (facts.conflicted?.includes(path))
    return { ...finding, level: 'review', message: `${message}; it was in conflict` }
  return { ...finding, message: `${message}; the merge itself changes it` }
}

/** Forbidden paths, paths of `.intentignore`, and paths that can't be spelled are nobody's to change. */
export const nothingIsBarred: Rule = (_, { barred }) =>
  barred.map(({ path, verdict }) => ({
    rule: `path-${verdict.kind}`,
    level: 'block',
    path,
    message: `${printable(path)} ${reasonOf(verdict)}`,
    hint: unstage(path),
  }))

function reasonOf(verdict: Verdict): string {
  if (verdict.kind === 'forbidden') return `is forbidden by .sdd/KOTEF.md (${verdict.by})`
  if (verdict.kind === 'ignored') return `is closed to every intent by .intentignore (${verdict.by})`
  return verdict.kind === 'malformed' ? `is not a path that can be judged: ${verdict.why}` : `is ${verdict.kind}`
}
