import type { Gatherer } from '../../core/git/gatherer.ts'
import { writtenByAgents } from '../../core/ledger/written-intents.ts'
import { governanceFilesIn } from '../../core/rules/approval.ts'
import type { ChangesToSort, StagedFacts } from '../../core/rules/commit-facts.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'

/** Gathers which of the changed governance files an agent wrote; the ledger is read only where there are any. */
export function* gatherGovernanceAuthors(
  place: Parameters<typeof readLedgerEnd>[0],
  staged: ChangesToSort,
): Gatherer<Pick<StagedFacts, 'governanceByAgents'>> {
  const files = governanceFilesIn(staged)
  if (files.length === 0) return {}
  return { governanceByAgents: writtenByAgents(yield* readLedgerEnd(place), files) }
}
