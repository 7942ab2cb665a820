import { KotefError } from '../../../core/base/failure.ts'
import { momentText } from '../../../core/report/local-time.ts'
import { shortSession } from '../../../core/report/short-id.ts'
import type { AgentRun } from '../../../core/runs/agent-run.ts'
import { runCounters } from '../../../core/runs/run-counters.ts'
import { isStopped, type TerminalStatus } from '../../../core/runs/run-state.ts'
import { reportText } from '../../../world/runs/report-run.ts'
import { countedRuns } from '../../../world/runs/run-store.ts'
import { type PrivateCall, privateCalls } from '../../../world/runs/private-calls.ts'
import { escapeForTerminal, printable, shellQuoted } from '../../../core/base/printable.ts'
import { liveSessions } from '../../../world/intents/sessions/live-sessions.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { callingAgent } from '../person.ts'
import { namedSession, type RunVerb } from '../verb.ts'

/** `kotef runs list`: lists the runs of this worktree's sessions, the latest first. */
export const listAllRuns: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const { runs, damaged } = await countedRuns(workspace)
  const live = new Set((await liveSessions(workspace)).map(it => it.id))
  const now = workspace.clock.now()
  const lines = [...runs.map(it => runLine(it, { now, live })), ...damaged.flatMap(damagedLines)]
  return { text: lines.length === 0 ? NO_RUN : lines.join('\n'), json: { runs: runs.map(runSummary), damaged } }
}

function damagedLines(path: string): string[] {
  return [
    `damaged  ${printable(path)}: nothing is counted in this run, and nobody is stopped by it.`,
    `  Remove it, and let the agent select its intent again: \`rm -r ${shellQuoted(path)}\``,
  ]
}

const NO_RUN = 'No agent has selected an intent in this worktree, so there is no run.'

type ListedAt = { readonly now: number; readonly live: ReadonlySet<string> }

function runLine({ terms, state }: AgentRun, { now, live }: ListedAt): string {
  const since = state.startedAt === null ? '' : `, since ${momentText(new Date(state.startedAt).toISOString(), now)}`
  // A resumed session goes on with its run, so the end of a session does not end it.
  const paused = live.has(terms.session) ? 'running' : 'paused, its session is over'
  const status = state.end ? END_WORDS[state.end.status] : paused
  const why = state.end ? `: ${printable(state.end.evidence)} (${state.end.rule})` : ''
  return `${printable(shortSession(terms.session))}  ${terms.intent}  ${status}${since}${why}`
}

const END_WORDS: Readonly<Record<TerminalStatus, string>> = {
  done_success: 'done',
  done_partial: 'done in part',
  aborted_stuck: 'stopped, stuck',
  aborted_constraint: 'stopped, a constraint',
}

function runSummary({ terms, state, tree }: AgentRun) {
  const { session, intent, profile } = terms
  const { end, checks, startedAt } = state
  const status = end?.status ?? 'running'
  const files = Object.keys(tree.paths)
  return { session, intent, profile, status, end, startedAt, counters: runCounters(state), checks, files }
}

/** `kotef runs show`: the report of a run so far. */
export const showRun: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const run = runInQuestion((await countedRuns(workspace)).runs, namedSession(call))
  const exit = isStopped(run.state.end) ? 4 : 0
  const now = workspace.clock.now()
  const isPerson = (await callingAgent(call, workspace)) === null
  const calls = isPerson ? await privateCalls(workspace, run.terms.session) : []
  const text = [reportText(run, now).trimEnd(), ...callLines(calls)].join('\n')
  return { text, json: runSummary(run), exit }
}

// An agent's session reads of another one what others may read.
function callLines(calls: readonly PrivateCall[]): string[] {
  if (calls.length === 0) return []
  const lines = calls.flatMap(({ at, tool, input, output, isFailure }) => [
    `- ${new Date(at).toISOString()} ${tool}${isFailure ? ', failed' : ''}: ${input}`,
    ...output
      .trimEnd()
      .split('\n')
      .slice(-OUTPUT_LINES_MAX)
      .map(it => `    ${it}`),
  ])
  return ['', '## Calls, on this machine only', '', ...lines.map(escapeForTerminal)]
}

const OUTPUT_LINES_MAX = 10

function runInQuestion(runs: readonly AgentRun[], session: string | null): AgentRun {
  const meant = runs.filter(it => session === null || it.terms.session.startsWith(session))
  const exact = meant.find(it => it.terms.session === session)
  const [latest] = meant
  if (exact) return exact
  if (!latest) throw session === null ? noRunError() : noSuchRunError(session)
  if (session === null || meant.length === 1) return latest
  const ids = meant.map(({ terms }) => `  ${printable(terms.session)}  ${terms.intent}`)
  const message = `The sessions of ${meant.length} runs begin with ${printable(session)}; name one:`
  throw new KotefError('unknown-session', [message, ...ids].join('\n'), { hint: LIST_HINT })
}

function noRunError(): KotefError {
  const hint = "Set up an agent's hooks, which report its calls: `kotef init --agent <name>`"
  return new KotefError('unknown-session', NO_RUN, { hint })
}

function noSuchRunError(session: string): KotefError {
  return new KotefError('unknown-session', `No session ${printable(session)} has a run.`, { hint: LIST_HINT })
}

const LIST_HINT = 'Run `kotef runs list` to see the runs of this worktree.'
