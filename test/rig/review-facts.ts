// The facts of a report: `reviewFacts`, `reviewCommit`, `reviewFinding`.

import type { Intent } from '../../src/core/intents/intent.ts'
import type { ReviewFacts } from '../../src/core/report/review/review.ts'
import type { CommitFinding } from '../../src/core/report/verification.ts'
import type { Policy } from '../../src/core/intents/scope/policy.ts'
import type { Commit } from '../../src/core/git/trailers/commits.ts'

/** An intent that owns `src/**`, with these changes. */
export function reviewIntent(changed: Partial<Intent> = {}): Intent {
  return {
    ...{ id: 'INT-001', name: 'work', description: '', status: 'PENDING', owned_scope: ['src/**'] },
    ...{
      constraints: [],
      acceptance_criteria: [],
      appetite: 'Batch',
      non_goals: [],
      related_specs: [],
      depends_on: [],
    },
    ...{ created_at: null, updated_at: null },
    ...changed,
  }
}

/** A commit for INT-001 that changes these paths. */
export function reviewCommit(n: number, paths: readonly string[], changed: Partial<Commit> = {}): Commit {
  const blob = { mode: '100644', oid: '1'.repeat(40) }
  return {
    ...{
      oid: String(n).repeat(40),
      parents: ['0'.repeat(40)],
      subject: `commit ${n}`,
      author: 'a@b',
      coAuthors: [],
      misplaced: [],
    },
    ...{ cited: ['INT-001'], governance: null, referencedCommits: [] },
    changes: paths.map(path => ({ path, before: null, after: blob }) as Commit['changes'][number]),
    ...changed,
  }
}

/** A finding about commit 1. */
export function reviewFinding(rule: string, changed: Partial<CommitFinding> = {}): CommitFinding {
  return {
    ...{ rule, level: 'review' as const, path: null, message: `about ${rule}`, hint: `do ${rule}` },
    ...{ commit: '1'.repeat(40), subject: 'commit 1' },
    ...changed,
  }
}

/** The facts of a range, with these changes; without any, of no commit. */
export function reviewFacts({
  findings = [],
  ...changed
}: Partial<ReviewFacts> & { findings?: readonly CommitFinding[] } = {}): ReviewFacts {
  const intents = changed.intents ?? [reviewIntent()]
  const range = { name: 'main..w', from: 'a'.repeat(40), to: 'b'.repeat(40), passedOver: 0, remark: null }
  const known = intents.map(({ id, name, status, owned_scope }) => ({ id, name, status, owned_scope }))
  const policy: Policy = { intents: known, governance: ['.orchestration/**'], forbidden: [], intentignore: [] }
  const commits = changed.commits ?? []
  const verification = { ranges: [{ ...range, commits: commits.length }], findings }
  return { verification, commits, intents, policy, lines: [], ...changed }
}
