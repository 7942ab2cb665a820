import { chainFollower, type ChainHead } from '../../src/core/ledger/chain.ts'
import type { LedgerEntry } from '../../src/core/ledger/read-ledger.ts'
import type { Finding } from '../../src/core/base/finding.ts'
import type { Repo } from './repo.ts'

/** What each line of a repository's ledger tells, oldest first. */
export async function ledgerEvents(repo: Repo): Promise<Record<string, unknown>[]> {
  const text = await repo.read('.orchestration/agent_trace.jsonl').catch(() => '')
  const lines = text.split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line).metadata['dev.kotef'] as Record<string, unknown>)
}

/** What is wrong with the chains of a whole ledger. */
export function verifyChain(entries: readonly LedgerEntry[], head: ChainHead | null): Finding[] {
  const { follow, end } = chainFollower()
  return [...entries.flatMap(follow), ...end(head)]
}
