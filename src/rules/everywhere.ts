import type { Finding } from '../report/finding.ts'
import { printable } from '../report/printable.ts'
import type { Verdict } from '../scope/policy.ts'
import { type Sorted, sortChanges, type StagedFacts } from './facts.ts'
import { unstage } from './words.ts'

/** One rule of a commit: facts in, findings out. */
export type Rule<Facts extends StagedFacts = StagedFacts> = (facts: Facts, sorted: Sorted) => Finding[]

/** Applies rules in order. While git replays what was judged elsewhere, everything found is for review only. */
export function settled<Facts extends StagedFacts>(facts: Facts, rules: readonly Rule<Facts>[]): Finding[] {
  const sorted = sortChanges(facts)
  const findings = rules.flatMap(rule => rule(facts, sorted))
  return facts.replaying ? findings.map(it => ({ ...it, level: 'review' })) : findings
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
