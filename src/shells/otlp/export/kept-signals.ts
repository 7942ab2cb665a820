import { refusalsOf } from '../../../world/lessons/refusals.ts'
import { savedRuns } from '../../../world/runs/run-store.ts'
import { type ExportPlan, type ExportState, planKept } from '../records/export-state.ts'
import { refusalLog } from '../records/refusal-log.ts'
import { runSpan } from '../records/run-span.ts'
import { openSpan } from '../records/session-spans.ts'
import type { TelemetryLog } from '../records/signals.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** What is to be sent of the runs and the refused writes that kotef keeps beside the ledger. Changes nothing there. */
export async function planKeptSignals(
  workspace: Workspace,
  state: ExportState,
  terms: { readonly paths: boolean },
): Promise<ExportPlan> {
  const { runs } = await savedRuns(workspace)
  const spans = runs.map(it => runSpan(it, openSpan(state.sessions, it.terms.session))).filter(it => it !== null)
  const sessions = new Set([...Object.keys(state.sessions), ...runs.map(it => it.terms.session)])
  const refusals: TelemetryLog[] = []
  for (const session of sessions) {
    const kept = await refusalsOf(workspace, session)
    const span = openSpan(state.sessions, session)
    for (const it of kept?.refused ?? [])
      refusals.push(
        refusalLog({ ...it, session, agent: kept?.agent ?? '', head: kept?.head ?? '' }, { ...terms, span }),
      )
  }
  return planKept(state, { runs: spans, refusals })
}
