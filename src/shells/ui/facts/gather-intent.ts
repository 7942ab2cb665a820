import type { Intent } from '../../../core/intents/intent.ts'
import { loadUnsavedContract } from '../../../world/lifecycle/saved-contract.ts'
import { HAPPENING_KINDS, type Happening, happeningsOf, writesByDay } from '../pages/happenings.ts'
import type { IntentFacts, IntentLines, Part } from '../pages/intent-facts.ts'
import { OVERVIEW_ROWS } from '../pages/intent-lists.ts'
import { sessionsOf } from '../pages/intent-sessions.tsx'
import type { SlowFacts } from '../pages/slow-facts.ts'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { commitsCiting } from '../../../world/provenance/intent-context.ts'
import { intentsWithLiveStatus } from '../../../world/intents/sessions/intents-in-work.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askDeclarations } from './declarations.ts'
import { intentHolders } from './intent-holders.ts'
import { askIntentLines } from './intent-lines.ts'
import { lastResults, readIntentRecords, withRecordCounts } from './intent-records.ts'

/** The page of an intent, as far as it is known when `wait` is over; null where the registry has no such intent. */
export async function gatherIntent(
  workspace: Workspace,
  id: string,
  wait: Promise<unknown> | null,
): Promise<IntentFacts | null> {
  const intent = await findLiveIntent(workspace, id)
  if (!intent) return null
  const [contract, holders, commits, { records, read }, lines, declarations] = await Promise.all([
    loadUnsavedContract(workspace, id),
    intentHolders(workspace),
    commitsCiting(workspace, id, null),
    readIntentRecords(workspace, id),
    askIntentLines(workspace, wait),
    askDeclarations(workspace, wait),
  ])
  const history = happeningsOf(records, commits)
  const sessions = part(sessionsOf(records, holders.get(id) ?? []))
  const rows = await withRecordCounts(workspace, { intent: id, read }, sessions.rows)
  const entries = declarations.value?.filter(it => it.intent === id) ?? null
  return {
    now: workspace.clock.now(),
    intent,
    contract,
    records: read,
    checks: lastResults(intent.acceptance_criteria, records),
    sessions: { ...sessions, rows },
    lines: withFirstFiles(lines.value?.(id) ?? null, lines),
    declarations: { ...declarations, value: entries && part(entries) },
    commits: part(commits),
    history: part(history),
    kinds: kindCounts(history),
    days: writesByDay(records),
  }
}

/** An intent of the registry with its live status; null when there is none. */
export async function findLiveIntent(workspace: Workspace, id: string): Promise<Intent | null> {
  const { intents } = await loadRegistry(workspace)
  const [found] = await intentsWithLiveStatus(
    workspace,
    intents.filter(it => it.id === id),
  )
  return found ?? null
}

function part<T>(all: readonly T[]): Part<T> {
  return { total: all.length, rows: all.slice(0, OVERVIEW_ROWS) }
}

type Counted = Omit<IntentLines, 'files'> & { readonly files: IntentLines['files']['rows'] }

function withFirstFiles(counted: Counted | null, reading: SlowFacts<unknown>): SlowFacts<IntentLines> {
  return { ...reading, value: counted && { ...counted, files: part(counted.files) } }
}

function kindCounts(history: readonly Happening[]): IntentFacts['kinds'] {
  const counts = HAPPENING_KINDS.map(kind => ({ kind, count: history.filter(it => it.kind === kind).length }))
  return counts.filter(it => it.count > 0)
}
