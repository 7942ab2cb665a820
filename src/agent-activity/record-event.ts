import { join } from 'node:path'
import type { AgentEvent, CallIdentity } from '../agents/event.ts'
import { lastModelIn } from '../agents/transcript.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { removeSessionModel, readSessionModel, saveSessionModel } from './agent-models.ts'
import { flushDaemon, settleDaemon } from '../daemon-client/ask-daemon.ts'
import { isDaemonRunning } from '../daemon-client/daemon-address.ts'
import { recordHeartbeat, hasSession } from '../sessions/session-store.ts'
import {
  closeWindow,
  closeSessionWindows,
  dropWindow,
  dropSessionWindows,
  openWindow,
  type ActivityAccess,
} from './windows.ts'
import type { UnannouncedWrite } from './claim-recorded-write.ts'

/** Where an agent works, and what has to be loaded first, for it is seldom asked for. */
export type ActivityContext = ActivityAccess & {
  readonly root: string
  /** Records what has changed since anybody looked, when no daemon does. */
  readonly recordWithoutDaemon: () => Promise<unknown>
  readonly claimRecordedWrite: (claim: UnannouncedWrite) => Promise<unknown>
  /** Ends the session that an agent has bound to an intent. */
  readonly endSession: (session: string) => Promise<unknown>
  /** Takes down that an agent has taken up a session that is bound to an intent, perhaps as another process. */
  readonly resumeSession: (session: string) => Promise<unknown>
}

/** What an agent tells, with the paths as git names them, as far as they are files of this worktree. */
export type AgentReport = { readonly event: AgentEvent; readonly paths: readonly string[] }

/**
 * Takes down what an agent is about to do, and sees to it that what it has done is recorded as its own. Answers with
 * the window of what is done now; null when nothing is, or when nobody told of its beginning.
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
    case 'write-start':
      return paths.length === 0 ? null : startCalls(context, event, writeWindows(event, paths)).then(toNull)
    case 'write':
    case 'write-failed':
      return paths.length === 0 ? null : endCalls(context, event, writeWindows(event, paths))
  }
}

const toNull = () => null

type CallWindow = Pick<Parameters<typeof openWindow>[1], 'session' | 'kind' | 'path' | 'call' | 'lane'>

type CallEvent = AgentEvent & CallIdentity

function execWindow({ session, call, lane }: CallEvent): CallWindow {
  return { session, kind: 'exec', path: null, call, lane }
}

// A lane has one window. The other files of a call stand in lanes of their own beside it.
function writeWindows({ session, call, lane }: CallEvent, paths: readonly string[]): CallWindow[] {
  return [...new Set(paths)].map((path, n) => ({ session, kind: 'write', path, call, lane: n ? `${lane} ${n}` : lane }))
}

async function startCalls(context: ActivityContext, event: AgentEvent, calls: readonly CallWindow[]): Promise<void> {
  // What was there before is somebody else's, and is recorded before the agent can touch it.
  if (!(await flushEarlierWrites(context, calls))) await context.recordWithoutDaemon()
  const model = await sessionModel(context, event)
  for (const it of calls) await openWindow(context, { ...it, agent: event.agent, model })
}

async function flushEarlierWrites(context: ActivityContext, calls: readonly CallWindow[]): Promise<boolean> {
  // A command may change anything: what was written, or taken away, until now must not pass for its doing.
  if (calls.some(it => it.path === null)) return settleDaemon(context)
  // Of what has just been written, no watcher need have told.
  if (await isAnyJustWritten(context, calls)) return flushDaemon(context, FLUSH_MS)
  return (await isDaemonRunning(context)) || settleDaemon(context)
}

async function isAnyJustWritten(
  { root, files, clock }: ActivityContext,
  calls: readonly CallWindow[],
): Promise<boolean> {
  const paths = calls.flatMap(it => it.path ?? [])
  const modified = await Promise.all(paths.map(it => files.modifiedAt(join(root, it))))
  return modified.some(it => it !== null && clock.now() - it < SETTLED_AFTER_MS)
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
  // Of what nobody watched, only the agent's own word about what stood there tells its write from an earlier one.
  if (!wasWatched && event.before === undefined) return
  const { session, agent } = event
  const model = await sessionModel(context, event)
  await context.claimRecordedWrite({ session, agent, model, path, before: event.before })
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
  if (await hasSession(context, session)) await context.endSession(session)
}

/** Has everything recorded that was written before the call; true when a daemon does it, which has seen it all. */
async function recordPending(context: ActivityContext): Promise<boolean> {
  const isDone = await flushDaemon(context, FLUSH_MS)
  if (!isDone) await context.recordWithoutDaemon()
  return isDone
}

const FLUSH_MS = 10_000

// Whatever rested for so long, a daemon has seen.
const SETTLED_AFTER_MS = 5_000

async function sessionModel(
  context: ActivityContext,
  { session, model, transcript }: Pick<AgentEvent, 'session' | 'model' | 'transcript'>,
): Promise<string | null> {
  const known = model ?? (await readSessionModel(context, session))
  if (known !== null || transcript === null) return known
  const tail = await context.files.readEnd(transcript, TRANSCRIPT_TAIL_BYTES).catch(() => null)
  return lastModelIn(tail?.bytes.toString('utf8') ?? '')
}

// A turn of a conversation takes some KiB, and may hold a whole file.
const TRANSCRIPT_TAIL_BYTES = 1_048_576
