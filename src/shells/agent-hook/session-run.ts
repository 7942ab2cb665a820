import type { Reply } from '../../core/agents/adapter.ts'
import type { AgentEvent } from '../../core/agents/event.ts'
import { applyEvents, type AgentRun, endWithSession, settle } from '../../core/runs/agent-run.ts'
import type { RunDecision, RunEnd } from '../../core/runs/run-state.ts'
import type { SafeEvent } from '../../core/runs/safe-event.ts'
import { safe } from '../../core/outgoing/safe-text.ts'
import { decisionText, heldText } from '../../core/runs/run-text.ts'
import { answerStop, beginTurn } from '../../core/runs/stop-request.ts'
import { currentStop, updateRun } from '../../world/runs/run-store.ts'
import type { LightWorktree } from './governed-worktree.ts'

const SILENCE: Reply = { kind: 'silence' }

/** Counts events in a session's run; a context for the agent when it should change course or the run ends. */
export async function countEvents(
  worktree: LightWorktree,
  session: string,
  events: readonly SafeEvent[],
): Promise<Reply> {
  const counted = await updateRun(worktree, session, ({ run, head, at }) => {
    const hadEnded = run.state.end !== null
    applyEvents(run, events, head)
    return { decision: settle(run, at), hadEnded, run }
  })
  if (!counted || counted.hadEnded) return SILENCE
  return replyTo(worktree, counted)
}

type Counted = { readonly decision: RunDecision; readonly run: AgentRun }

async function replyTo(worktree: LightWorktree, { decision, run }: Counted): Promise<Reply> {
  if (decision.status === 'running') return SILENCE
  const text = decisionText(decision, run.terms.intent)
  const { end } = run.state
  if (!end) return { kind: 'context', text }
  const { reportRun } = await import('../../world/runs/report-run.ts')
  const report = await reportRun(worktree, run, end).catch(() => null)
  return { kind: 'context', text: report === null ? text : `${text} Report: ${report}` }
}

/** The session is over, and so is its run: each that had a call has a report. */
export async function endRunOf(worktree: LightWorktree, session: string): Promise<void> {
  const ended = await updateRun(worktree, session, ({ run, at }) => {
    const hadEnded = run.state.end !== null
    return { run, hadEnded, end: endWithSession(run, at) }
  })
  if (!ended || ended.hadEnded || ended.run.state.totalSteps === 0) return
  const { reportRun } = await import('../../world/runs/report-run.ts')
  await reportRun(worktree, ended.run, ended.end)
}

/** A person's message: all attempts begin again, and after the end of a run another one. */
export async function beginTurnOf(worktree: LightWorktree, session: string): Promise<void> {
  await updateRun(worktree, session, ({ run, tree, head, at }) => {
    beginTurn(run, tree, at)
    applyEvents(run, [{ kind: 'message', from: 'person', text: safe`` }], head)
  })
}

/** The answer to an agent that is about to stop: it is sent back while a check has not passed on what it changed. */
export async function replyToStop(worktree: LightWorktree, session: string, event: AgentEvent | null): Promise<Reply> {
  const isBusy = event?.event === 'turn-end' && (event.busy ?? []).length > 0
  if (isBusy) return SILENCE
  const answer = await updateRun(worktree, session, ({ run, tree }) => {
    return { ...answerStop(run, tree), intent: run.terms.intent }
  })
  return answer?.isHeld ? { kind: 'deny', text: heldText(answer.intent, answer.open) } : SILENCE
}

/** How the run of a session is stopped by now; null while it goes on. */
export function stopNow(worktree: LightWorktree, session: string): Promise<RunEnd | null> {
  return currentStop(worktree, session)
}
