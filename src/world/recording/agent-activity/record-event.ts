import { join } from 'node:path'
import type { AgentEvent, CallIdentity } from '../../../core/agents/event.ts'
import { lastModelIn } from '../../../core/agents/claude.ts'
import type { ToolWindow } from '../../../core/authorship/tool-window.ts'
import { removeSessionModel, readSessionModel, saveSessionModel } from './agent-models.ts'
import { flushDaemon, isDaemonRunning, settleDaemon } from '../../io/daemon-client/ask-daemon.ts'
import { nearestProgram } from '../../io/process/processes.ts'
import { findSession, hasSession, recordHeartbeat } from '../../intents/sessions/session-store.ts'
import {
  closeLane,
  closeWindow,
  closeSessionWindows,
  dropWindow,
  dropSessionWindows,
  keepEndedSession,
  openWindow,
  type ActivityAccess,
} from './windows.ts'
import { rememberEndedAgent } from './ended-agents.ts'
import type { UnannouncedWrite } from './claim-recorded-write.ts'
import { HOOK_FLUSH_WAIT_MS_MAX, OBSERVED_AFTER_MS } from '../../../core/base/thresholds.ts'

/** The worktree in which an agent works, and rare operations, whose code is loaded when they are called. */
export type ActivityContext = ActivityAccess & {
  readonly root: string
  /** Records the changes since the last checkpoint, when no daemon runs. */
  readonly recordWithoutDaemon: () => Promise<unknown>
  readonly claimRecordedWrite: (claim: UnannouncedWrite) => Promise<unknown>
  /** Ends a session that is bound to an intent. */
  readonly endSession: (session: string) => Promise<unknown>
  /** Records that an agent has resumed a session that is bound to an intent, perhaps in another process. */
  readonly resumeSession: (session: string) => Promise<unknown>
}

/** An agent's event, and its files in this worktree, as git names them. */
export type AgentReport = { readonly event: AgentEvent; readonly paths: readonly string[] }

/**
 * Records an agent's hook event, and makes sure that its writes are attributed to it. Returns the window that the event
 * closes; null when it closes none, or when the start of the call was not reported.
 */
export async function recordAgentEvent(context: ActivityContext, reported: AgentReport): Promise<ToolWindow | null> {
  const window = await handleEvent(context, reported)
  await recordHeartbeat(context, reported.event.session)
  return window
}

async function handleEvent(context: ActivityContext, { event, paths }: AgentReport): Promise<ToolWindow | null> {
  switch (event.event) {
    case 'session-start':
      return startOrResumeSession(context, event).then(toNull)
    case 'model-named':
      return saveModel(context, event).then(toNull)
    case 'session-end':
    case 'turn-end':
      return endTurnOrSession(context, event).then(toNull)
    case 'exec-start':
      return startCalls(context, event, [execWindow(event)]).then(toNull)
    case 'exec-end':
      return endCalls(context, event, [execWindow(event)])
    case 'read-end':
      return endLane(context, event).then(toNull)
    case 'write-start':
      return paths.length === 0 ? null : startCalls(context, event, writeWindows(event, paths)).then(toNull)
    case 'write':
    case 'write-failed':
      return paths.length === 0 ? null : endCalls(context, event, writeWindows(event, paths))
  }
}

const toNull = () => null

type CallWindow = Pick<Parameters<typeof openWindow>[1], 'session' | 'kind' | 'path' | 'call' | 'lane' | 'pid'>

type CallEvent = AgentEvent & CallIdentity

function execWindow({ session, call, lane }: CallEvent): CallWindow {
  return { session, kind: 'exec', path: null, call, lane, pid: nearestProgram() }
}

// A lane has one window, so the other files of a call have lanes of their own.
function writeWindows({ session, call, lane }: CallEvent, paths: readonly string[]): CallWindow[] {
  return [...new Set(paths)].map((path, n) => ({ session, kind: 'write', path, call, lane: n ? `${lane} ${n}` : lane }))
}

async function startCalls(context: ActivityContext, event: AgentEvent, calls: readonly CallWindow[]): Promise<void> {
  // Earlier changes have another author. They are recorded before the agent can change the files.
  if (!(await flushEarlierWrites(context, calls))) await context.recordWithoutDaemon()
  const model = await sessionModel(context, event)
  for (const it of calls) await openWindow(context, { ...it, agent: event.agent, model })
}

async function flushEarlierWrites(context: ActivityContext, calls: readonly CallWindow[]): Promise<boolean> {
  // A command may change any file, so all earlier writes and removals must be recorded.
  if (calls.some(it => it.path === null)) return settleDaemon(context)
  // The watcher may not have reported a recent write yet, so the daemon has to compare with git.
  if (await isAnyJustWritten(context, calls)) return flushDaemon(context, HOOK_FLUSH_WAIT_MS_MAX)
  return (await isDaemonRunning(context)) || settleDaemon(context)
}

async function isAnyJustWritten(
  { root, files, clock }: ActivityContext,
  calls: readonly CallWindow[],
): Promise<boolean> {
  const paths = calls.flatMap(it => it.path ?? [])
  const modified = await Promise.all(paths.map(it => files.modifiedAt(join(root, it))))
  return modified.some(it => it !== null && clock.now() - it < OBSERVED_AFTER_MS)
}

async function endCalls(
  context: ActivityContext,
  event: AgentEvent,
  calls: readonly CallWindow[],
): Promise<ToolWindow | null> {
  const windows = await Promise.all(calls.map(it => closeWindow(context, it)))
  const wasWatched = await recordPending(context)
  for (const [n, call] of calls.entries()) {
    if (windows[n]) await dropWindow(context, call)
    else await claimWindowlessWrite(context, event, { path: call.path, wasWatched })
  }
  return windows.find(it => it !== null) ?? null
}

type WindowlessWrite = { readonly path: string | null; readonly wasWatched: boolean }

async function claimWindowlessWrite(
  context: ActivityContext,
  event: AgentEvent,
  { path, wasWatched }: WindowlessWrite,
): Promise<void> {
  if (event.event !== 'write' || path === null) return
  // Without a daemon, only the agent's report of the content before can separate its write from an earlier one.
  if (!wasWatched && event.before === undefined) return
  const { session, agent, before, after } = event
  const model = await sessionModel(context, event)
  await context.claimRecordedWrite({ session, agent, model, path, before, after })
}

/** Ends a call whose end was not reported: within a lane, the next call begins when it is over. */
async function endLane(context: ActivityContext, { session, lane }: CallEvent): Promise<void> {
  if (!(await closeLane(context, { session, lane }))) return
  await recordPending(context)
  await dropWindow(context, { session, lane })
}

async function saveModel(context: ActivityContext, { session, model }: AgentEvent): Promise<void> {
  if (model !== null) await saveSessionModel(context, session, model)
}

async function startOrResumeSession(context: ActivityContext, event: AgentEvent): Promise<void> {
  const { session } = event
  await saveModel(context, event)
  if (await hasSession(context, session)) await context.resumeSession(session)
}

async function endTurnOrSession(context: ActivityContext, event: AgentEvent): Promise<void> {
  const { session } = event
  const busy = event.event === 'turn-end' ? (event.busy ?? []) : []
  if (await closeSessionWindows(context, { session, busy })) await recordPending(context)
  await dropSessionWindows(context, { session, busy })
  if (event.event !== 'session-end') return
  await removeSessionModel(context, session)
  if (!(await hasSession(context, session))) return
  const ended = await findSession(context, session).catch(toNull)
  if (ended) await Promise.all([keepEndedSession(context, ended), rememberEndedAgent(context, ended)])
  await context.endSession(session)
}

/** Records everything that was written before the call; true when the daemon did so, which saw each write. */
async function recordPending(context: ActivityContext): Promise<boolean> {
  const isDone = await flushDaemon(context, HOOK_FLUSH_WAIT_MS_MAX)
  if (!isDone) await context.recordWithoutDaemon()
  return isDone
}

async function sessionModel(
  context: ActivityContext,
  { session, model, transcript }: Pick<AgentEvent, 'session' | 'model' | 'transcript'>,
): Promise<string | null> {
  const known = model ?? (await readSessionModel(context, session))
  if (known !== null || transcript === null) return known
  const tail = await context.files.readEnd(transcript, TRANSCRIPT_TAIL_BYTES).catch(() => null)
  return lastModelIn(tail?.bytes.toString('utf8') ?? '')
}

// A turn of a conversation has some KiB, or a whole file in it.
const TRANSCRIPT_TAIL_BYTES = 1_048_576
