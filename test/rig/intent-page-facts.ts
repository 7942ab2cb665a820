// The facts of the page of an intent.

import type { Intent } from '../../src/core/intents/intent.ts'
import { buildIntentContract } from '../../src/core/intents/contract/intent-contract.ts'
import type { IntentFacts, IntentSession } from '../../src/shells/ui/pages/intent-facts.ts'

/** An intent of a test. */
export function anIntent(more: Partial<Intent> = {}): Intent {
  return {
    ...{ id: 'INT-001', name: 'the work', description: '', status: 'IN_PROGRESS', owned_scope: ['src/**'] },
    ...{ constraints: [], acceptance_criteria: [], appetite: 'Small', non_goals: [], related_specs: [] },
    ...{ depends_on: [], created_at: null, updated_at: null, ...more },
  }
}

/** A session that holds an intent. */
export function aHolder(more: Partial<IntentSession> = {}): IntentSession {
  const times = { startedAt: '2026-03-10T11:00:00Z', endedAt: null }
  return { ...{ id: 's-1', agent: 'aider', isLive: true, elsewhere: null, records: 4 }, ...times, ...more }
}

const KNOWN = { isCurrent: true, share: 1, failure: null }

/** The facts of the page of an intent about which nothing else is known. */
export function intentPageFacts(intent: Intent, more: Partial<IntentFacts> = {}): IntentFacts {
  const none = { total: 0, rows: [] }
  return {
    now: Date.parse('2026-03-10T12:00:00Z'),
    intent,
    contract: buildIntentContract({
      intent,
      registry: '.orchestration/active_intents.yaml',
      ticket: null,
      policy: null,
    }),
    ...{ checks: [], sessions: none, commits: none, history: none, kinds: [], days: [] },
    lines: { ...KNOWN, value: { added: 0, alive: 0, files: none } },
    declarations: { ...KNOWN, value: none },
    records: { all: 0, read: 0 },
    ...more,
  }
}
