import type { PathChange } from '../../../src/core/git/changes.ts'
import type { CommitFacts } from '../../../src/core/rules/commit-facts.ts'

/** A policy with an intent in every status; the two in progress own `src` and `docs`. */
export const policy: CommitFacts['policy'] = {
  intents: [
    { id: 'INT-001', name: 'pay', status: 'IN_PROGRESS', owned_scope: ['src/**', '!src/legacy/**'] },
    { id: 'INT-002', name: 'docs', status: 'IN_PROGRESS', owned_scope: ['docs/**'] },
    { id: 'INT-003', name: 'next', status: 'PENDING', owned_scope: ['next/**', '**'] },
    { id: 'INT-004', name: 'done', status: 'COMPLETED', owned_scope: ['old/**'] },
    { id: 'INT-005', name: 'gone', status: 'ABANDONED', owned_scope: ['old/**'] },
    {
      id: 'CHORE-1',
      name: 'chores',
      status: 'PENDING',
      owned_scope: ['README.md', '*.json'],
      chores: { files: 2, lines: 10 },
    },
    { id: 'INT-006', name: 'none', status: 'IN_PROGRESS', owned_scope: [] },
  ],
  governance: ['.orchestration/**', '!.orchestration/AGENT.md', '.husky/**'],
  forbidden: ['vendor/**'],
  intentignore: ['*.pem'],
}

/** An ordinary commit for INT-001, of no changes yet. */
export const calmFacts: CommitFacts = {
  changes: [],
  policy,
  live: ['INT-001'],
  byAgent: false,
  claimedByOthers: [],
  adoption: false,
  replaying: false,
  conflicted: null,
  agents: [],
  approved: false,
  inherited: [],
  onlyTransitions: false,
  cited: ['INT-001'],
  misplaced: [],
  governance: null,
  retry: null,
}

export function changesOf(paths: readonly string[]): PathChange[] {
  return paths.map(path => ({ path, before: null, after: { mode: '100644', oid: '0'.repeat(40) } }))
}
