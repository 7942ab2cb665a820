import type { Intent } from '../../../core/intents/intent.ts'
import { isOpen } from '../../../core/intents/lifecycle.ts'
import { queryLedger } from '../../../world/ledger/query-ledger.ts'
import { firstOfPage } from '../pages/file-view.ts'
import { writesIn } from '../pages/happenings.ts'
import type { IntentRow, IntentsFacts } from '../pages/intent-facts.ts'
import { INTENTS_SHOWN } from '../pages/intent-lists.ts'
import { firstItem } from '../pages/pager.tsx'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { intentsWithLiveStatus } from '../../../world/intents/sessions/intents-in-work.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { intentHolders } from './intent-holders.ts'
import { askIntentLines } from './intent-lines.ts'

/** All intents or those of a status, as far as they are known when `wait` is over; null waits for all of it. */
export async function gatherIntents(
  workspace: Workspace,
  query: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<IntentsFacts> {
  const { intents: declared } = await loadRegistry(workspace)
  const intents = await intentsWithLiveStatus(workspace, declared)
  const statuses = statusCounts(intents)
  const only = statuses.find(it => it.status === query.get('status'))?.status ?? null
  const wanted = only === null ? openFirst(intents) : intents.filter(it => it.status === only)
  const from = firstOfPage(firstItem(query.get('from')), { rows: wanted.length, size: INTENTS_SHOWN })
  const [holders, lines] = await Promise.all([intentHolders(workspace), askIntentLines(workspace, wait)])
  const { value, ...reading } = lines
  const shown = wanted.slice(from, from + INTENTS_SHOWN)
  const rows = shown.map(async (intent): Promise<IntentRow> => {
    const counts = value?.(intent.id) ?? null
    return {
      intent,
      holders: holders.get(intent.id) ?? [],
      lines: counts,
      ...(await ledgerFacts(workspace, intent.id)),
    }
  })
  return {
    now: workspace.clock.now(),
    total: intents.length,
    statuses,
    only,
    from,
    listed: wanted.length,
    rows: await Promise.all(rows),
    lines: { ...reading, isKnown: value !== null },
  }
}

function openFirst(intents: readonly Intent[]): Intent[] {
  const inWork = intents.filter(it => it.status === 'IN_PROGRESS')
  const open = intents.filter(it => isOpen(it.status) && it.status !== 'IN_PROGRESS')
  return [...inWork, ...open, ...intents.filter(it => !isOpen(it.status))]
}

function statusCounts(intents: readonly Intent[]): IntentsFacts['statuses'] {
  const counts = new Map<string, number>()
  for (const { status } of intents) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => ({ status, count }))
}

async function ledgerFacts(workspace: Workspace, intent: string): Promise<Pick<IntentRow, 'records' | 'lastWrite'>> {
  const { records, older } = await queryLedger(workspace, { wanted: { intent }, limit: LAST_RECORDS })
  const found = writesIn(records).at(-1)
  // Only a long row of checks and violations hides the last write.
  const more = found || older === 0 ? [] : await lastRecords(workspace, intent)
  return { records: records.length + older, lastWrite: (found ?? writesIn(more).at(-1))?.timestamp ?? null }
}

const LAST_RECORDS = 20
const MORE_RECORDS = 2_000

async function lastRecords(workspace: Workspace, intent: string) {
  return (await queryLedger(workspace, { wanted: { intent }, limit: MORE_RECORDS })).records
}
