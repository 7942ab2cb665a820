import type { Finding } from '../base/finding.ts'
import { printable } from '../base/printable.ts'
import type { CommitFacts, StagedFacts } from './commit-facts.ts'

type Rework = Pick<StagedFacts, 'reworked' | 'settled'>
type MadeRework = Rework & Pick<CommitFacts, 'retry'>

/**
 * For a reviewer, who has not settled the conflict: paths whose content is not what git makes of the commit that lends
 * them its intent.
 */
export function reworkFindings(lent: readonly string[], { reworked = [], settled = [], retry }: MadeRework): Finding[] {
  if (retry !== null) return []
  return lent
    .filter(it => reworked.includes(it) || settled.includes(it))
    .map(path => ({
      rule: 'source-content',
      level: 'review',
      path,
      message: `${printable(path)} ${OTHER_CONTENT}${settled.includes(path) ? ', where it is in conflict' : ''}`,
      hint: 'Review it as work for the intent of that commit.',
    }))
}

/** Findings of paths that no intent owns; they say why the commit that the message names is not enough. */
export function withReworkWords(findings: readonly Finding[], { reworked = [] }: Rework): Finding[] {
  return findings.map(it =>
    it.path !== null && reworked.includes(it.path)
      ? { ...it, message: `${printable(it.path)} ${OTHER_CONTENT}; no open intent that the message cites owns it` }
      : it,
  )
}

const OTHER_CONTENT = 'has other content than git makes of the commit that the message names'
