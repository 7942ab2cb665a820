import type { HookCall, Reply } from '../agents/adapter.ts'
import type { AgentEvent } from '../agents/event.ts'
import type { ToolOutcome } from '../agents/tool-outcome.ts'
import type { ToolCall } from '../gate/parse-tool-call.ts'
import type { FileVersion } from '../agent-activity/file-versions.ts'
import { applyEvents, type AgentRun, settle } from '../runs/agent-run.ts'
import type { EditEvent, RunEvent, ToolEvent } from '../runs/event.ts'
import type { RunDecision, RunEnd } from '../runs/run-state.ts'
import { decisionText, heldText } from '../runs/run-text.ts'
import { answerStop, beginTurn } from '../runs/stop-request.ts'
import { currentStop, updateRun } from '../session-runs/run-store.ts'
import type { Payload } from '../text/payload.ts'
import { inputFields } from '../agents/tool-use.ts'
import type { LightWorktree } from './governed-worktree.ts'

const SILENCE: Reply = { kind: 'silence' }

/** A tool call that has ended, as far as a run counts it. */
type EndedCall = Pick<HookCall, 'session'> & {
  readonly call: ToolCall
  readonly input: unknown
  readonly outcome: ToolOutcome | null
  readonly event: AgentEvent | null
  /** The files that the call has read or written, with their content. */
  readonly versions: readonly FileVersion[]
}

/** Counts a tool call in its session's run; a context for the agent when it should change course or the run ends. */
export async function countCall(worktree: LightWorktree, ended: EndedCall): Promise<Reply> {
  const { call, outcome, session } = ended
  if (call.class === 'meta' || outcome?.isInterrupted) return SILENCE
  const events: RunEvent[] = [...reportedEdits(ended), ...(outcome ? [toolEventOf(ended, outcome)] : [])]
  return countEvents(worktree, session, events)
}

/** Counts the refusals that wait; a later call that writes is refused when they end the run. */
export async function countRefusals(worktree: LightWorktree, session: string): Promise<void> {
  await countEvents(worktree, session, [])
}

async function countEvents(worktree: LightWorktree, session: string, events: readonly RunEvent[]): Promise<Reply> {
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
  const { reportRun } = await import('../session-runs/report-run.ts')
  const report = await reportRun(worktree, run, end).catch(() => null)
  return { kind: 'context', text: report === null ? text : `${text} Report: ${report}` }
}

function toolEventOf({ call, input }: EndedCall, outcome: ToolOutcome): ToolEvent {
  const { output, isError, exit, isTimeout } = outcome
  const isCommand = call.class === 'execute'
  return {
    ...{ kind: 'tool', tool: call.tool, args: input, result: output, isError, isTimeout },
    ...(isCommand && { exit: exit ?? (isError ? null : 0), does: kindOfCommand(inputFields(input)) }),
    isPoll: call.class === 'read' || call.shell?.kind === 'read' || WAITS.test(commandText(inputFields(input))),
  }
}

// What only reads, or waits, may be asked again while something else goes on.
const WAITS = /\b(?:sleep|wait|watch|until|poll)\b/

function kindOfCommand(input: Payload): 'command' | 'test' | 'install' {
  const command = commandText(input)
  if (INSTALLS.test(command)) return 'install'
  return TESTS.test(command) ? 'test' : 'command'
}

const INSTALLS = /\b(?:npm|pnpm|yarn|bun|pip3?|poetry|cargo|bundle|composer|apt(?:-get)?) (?:i|ci|install|add)\b/
const TESTS = /\b(?:test|tests|vitest|jest|mocha|pytest|ctest|phpunit|rspec)\b/

function commandText({ command, cmd, commands }: Payload): string {
  const words = [command, cmd, commands].flat().filter(it => typeof it === 'string')
  return words.join(' ').slice(0, COMMAND_CHARS_MAX)
}

const COMMAND_CHARS_MAX = 10_000

// Only where the agent reports what was there before: no other program can have written in between.
function reportedEdits({ event, versions }: EndedCall): EditEvent[] {
  if (event?.event !== 'write' || event.before === undefined) return []
  const { before } = event
  return versions.slice(0, 1).map(([path, oid]) => ({ kind: 'edit', path, before, after: oid ?? null }))
}

/** A person's message: all attempts begin again, and after the end of a run another one. */
export async function beginTurnOf(worktree: LightWorktree, session: string): Promise<void> {
  await updateRun(worktree, session, ({ run, tree, head, at }) => {
    beginTurn(run, tree, at)
    applyEvents(run, [{ kind: 'message', from: 'person', text: '' }], head)
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
