import { listRefusals } from '../../../world/lessons/refusals.ts'
import { momentOf } from '../pages/periods.ts'
import type { CountedRefusal, StatsFacts, StatsFilter } from '../pages/stats-facts.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askEvents, selectEvents, tallyEvents } from './ledger-events.ts'
import { askLines } from './line-facts.ts'
import { tallyLines } from './tally-lines.ts'

/** The statistics of a worktree, as far as they are known when `wait` is over; null waits for all of them. */
export async function gatherStats(
  workspace: Workspace,
  query: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<StatsFacts> {
  const filter = statsFilter(query)
  const own = { since: filter.since ?? undefined, intent: filter.intent ?? undefined }
  const { history, surviving } = await askLines(workspace, wait)
  const { value: found, ...reading } = surviving
  const events = await askEvents(workspace, wait)
  const refused = await refusedWrites(workspace)
  return {
    filter,
    intents: knownIntents(history.value),
    lines: withValue(history, it => tallyLines(it, found, own)),
    surviving: { ...reading, isKnown: found !== null },
    violations: withValue(events, it => tallyEvents(selectEvents(it, own))),
    refused,
  }
}

/** The filter that an address has. */
function statsFilter(query: URLSearchParams): StatsFilter {
  const since = query.get('since') || null
  const intent = query.get('intent') || null
  const isMoment = since === null || momentOf(since) !== null
  return {
    since: isMoment ? since : null,
    intent,
    problem: isMoment ? null : 'The time of `since` is not understood: write it as 2026-11-20.',
  }
}

function withValue<T, U>(facts: SlowFacts<T>, make: (value: T) => U): SlowFacts<U> {
  return { ...facts, value: facts.value === null ? null : make(facts.value) }
}

function knownIntents(history: Awaited<ReturnType<typeof askLines>>['history']['value']): string[] {
  const ranges = (history?.commits ?? []).flatMap(it => it.ranges)
  return [...new Set(ranges.flatMap(it => it.owner.intent ?? []))].sort()
}

async function refusedWrites(workspace: Workspace): Promise<CountedRefusal[]> {
  const all = await listRefusals(workspace)
  return all.flatMap(({ session, refusals: { agent, refused } }) => refused.map(it => ({ session, agent, ...it })))
}
