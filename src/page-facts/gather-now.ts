import type { NowFacts } from '../page/now-page.tsx'
import { recordFacts } from '../page/record-facts.ts'
import { queryLedger } from '../ledger-store/query-ledger.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { intentsWithLiveStatus } from '../sessions/intents-in-work.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

const LATEST_RECORDS = 50

/** What happens in a worktree now. */
export async function gatherNow(workspace: Workspace): Promise<NowFacts> {
  const [{ intents }, sessions, latest] = await Promise.all([
    loadRegistry(workspace),
    liveSessions(workspace),
    queryLedger(workspace, { wanted: {}, limit: LATEST_RECORDS }),
  ])
  const current = (await intentsWithLiveStatus(workspace, intents)).filter(it => it.status === 'IN_PROGRESS')
  return {
    now: workspace.clock.now(),
    intents: current.map(({ id, name, status }) => ({
      ...{ id, name, status },
      sessions: sessions
        .filter(it => it.intent === id)
        .map(it => ({ id: it.id, agent: it.agent, model: it.model, since: it.claimedAt })),
    })),
    latest: latest.records.map(recordFacts).reverse(),
    records: latest.records.length + latest.older,
  }
}
