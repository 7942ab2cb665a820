import { join } from 'node:path'
import type { AgentEvent, Call } from '../agents/event.ts'
import { lastModelIn } from '../agents/transcript.ts'
import type { Window } from '../attribution/window.ts'
import { forgetModel, rememberedModel, rememberModel } from '../workspace/agent-models.ts'
import { flushDaemon, isAtWork, settleDaemon } from '../workspace/daemon-address.ts'
import { beat, isBound } from '../workspace/session-store.ts'
import { closeWindow, closeWindowsOf, dropWindow, dropWindowsOf, openWindow, type Place } from '../workspace/windows.ts'
import type { LateClaim } from './claim-late.ts'

/** Where an agent works, and what has to be loaded first, for it is seldom asked for. */
export type Post = Place & {
  readonly root: string
  /** Records what has changed since anybody looked, when no daemon does. */
  readonly recordUnwatched: () => Promise<unknown>
  readonly claimLate: (claim: LateClaim) => Promise<unknown>
  /** Ends the session that an agent has bound to an intent. */
  readonly endSession: (session: string) => Promise<unknown>
  /** Takes down that an agent has taken up a session that is bound to an intent, perhaps as another process. */
  readonly resumeSession: (session: string) => Promise<unknown>
}

/** What an agent tells, with the paths as git names them, as far as they are files of this worktree. */
export type Told = { readonly event: AgentEvent; readonly paths: readonly string[] }

/**
 * Takes down what an agent is about to do, and sees to it that what it has done is recorded as its own. Answers with
 * the window of what is done now; null when nothing is, or when nobody told of its beginning.
 */
export async function heed(post: Post, told: Told): Promise<Window | null> {
  const window = await take(post, told)
  await beat(post, told.event.session)
  return window
}

async function take(post: Post, { event, paths }: Told): Promise<Window | null> {
  switch (event.event) {
    case 'session-start':
      return startAgain(post, event).then(NOTHING)
    case 'model-named':
      return named(post, event).then(NOTHING)
    case 'session-end':
    case 'turn-end':
      return endAll(post, event).then(NOTHING)
    case 'exec-start':
      return begin(post, event, [execOf(event)]).then(NOTHING)
    case 'exec-end':
      return end(post, event, [execOf(event)])
    case 'write-start':
      return paths.length === 0 ? null : begin(post, event, writesOf(event, paths)).then(NOTHING)
    case 'write':
    case 'write-failed':
      return paths.length === 0 ? null : end(post, event, writesOf(event, paths))
  }
}

const NOTHING = () => null

type Calling = Pick<Parameters<typeof openWindow>[1], 'session' | 'kind' | 'path' | 'call' | 'lane'>

type Called = AgentEvent & Call

function execOf({ session, call, lane }: Called): Calling {
  return { session, kind: 'exec', path: null, call, lane }
}

// A lane has one window. The other files of a call stand in lanes of their own beside it.
function writesOf({ session, call, lane }: Called, paths: readonly string[]): Calling[] {
  return [...new Set(paths)].map((path, n) => ({ session, kind: 'write', path, call, lane: n ? `${lane} ${n}` : lane }))
}

async function begin(post: Post, event: AgentEvent, calls: readonly Calling[]): Promise<void> {
  // What was there before is somebody else's, and is recorded before the agent can touch it.
  if (!(await isWatched(post, calls))) await post.recordUnwatched()
  const model = await modelOf(post, event)
  for (const it of calls) await openWindow(post, { ...it, agent: event.agent, model })
}

async function isWatched(post: Post, calls: readonly Calling[]): Promise<boolean> {
  // A command may change anything: what was written, or taken away, until now must not pass for its doing.
  if (calls.some(it => it.path === null)) return settleDaemon(post)
  // Of what has just been written, no watcher need have told.
  if (await isAnyFresh(post, calls)) return flushDaemon(post, FLUSH_MS)
  return (await isAtWork(post)) || settleDaemon(post)
}

async function isAnyFresh({ root, files, clock }: Post, calls: readonly Calling[]): Promise<boolean> {
  const paths = calls.flatMap(it => it.path ?? [])
  const modified = await Promise.all(paths.map(it => files.modifiedAt(join(root, it))))
  return modified.some(it => it !== null && clock.now() - it < SEEN_MS)
}

async function end(post: Post, event: AgentEvent, calls: readonly Calling[]): Promise<Window | null> {
  const windows = await Promise.all(calls.map(it => closeWindow(post, it)))
  const wasWatched = await recorded(post)
  for (const [n, call] of calls.entries()) {
    if (windows[n]) await dropWindow(post, call)
    else await claimAlone(post, event, { path: call.path, wasWatched })
  }
  return windows.find(it => it !== null) ?? null
}

type Alone = { readonly path: string | null; readonly wasWatched: boolean }

async function claimAlone(post: Post, event: AgentEvent, { path, wasWatched }: Alone): Promise<void> {
  if (event.event !== 'write' || path === null) return
  // Of what nobody watched, only the agent's own word about what stood there tells its write from an earlier one.
  if (!wasWatched && event.before === undefined) return
  const { session, agent } = event
  const model = await modelOf(post, event)
  await post.claimLate({ session, agent, model, path, before: event.before })
}

async function named(post: Post, { session, model }: AgentEvent): Promise<void> {
  if (model !== null) await rememberModel(post, session, model)
}

async function startAgain(post: Post, event: AgentEvent): Promise<void> {
  const { session } = event
  await named(post, event)
  if (await isBound(post, session)) await post.resumeSession(session)
}

async function endAll(post: Post, event: AgentEvent): Promise<void> {
  const { session } = event
  const busy = event.event === 'turn-end' ? (event.busy ?? []) : []
  if (await closeWindowsOf(post, { session, busy })) await recorded(post)
  await dropWindowsOf(post, { session, busy })
  if (event.event !== 'session-end') return
  await forgetModel(post, session)
  if (await isBound(post, session)) await post.endSession(session)
}

/** Has everything recorded that was written before the call; true when a daemon does it, which has seen it all. */
async function recorded(post: Post): Promise<boolean> {
  const isDone = await flushDaemon(post, FLUSH_MS)
  if (!isDone) await post.recordUnwatched()
  return isDone
}

const FLUSH_MS = 10_000

// Whatever rested for so long, a daemon has seen.
const SEEN_MS = 5_000

async function modelOf(
  post: Post,
  { session, model, transcript }: Pick<AgentEvent, 'session' | 'model' | 'transcript'>,
): Promise<string | null> {
  const known = model ?? (await rememberedModel(post, session))
  if (known !== null || transcript === null) return known
  const tail = await post.files.readEnd(transcript, TAIL_BYTES).catch(() => null)
  return lastModelIn(tail?.bytes.toString('utf8') ?? '')
}

// A turn of a conversation takes some KiB, and may hold a whole file.
const TAIL_BYTES = 1_048_576
