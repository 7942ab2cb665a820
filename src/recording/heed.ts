import { join } from 'node:path'
import type { AgentEvent } from '../agents/event.ts'
import { lastModelIn } from '../agents/transcript.ts'
import { forgetModel, rememberedModel, rememberModel } from '../workspace/agent-models.ts'
import { askDaemon, flushDaemon } from '../workspace/daemon-address.ts'
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
}

/** What an agent tells, with the path as git names it; null stands for a file that is none of this worktree's. */
export type Told = { readonly event: AgentEvent; readonly path: string | null }

/** Takes down what an agent is about to do, and sees to it that what it has done is recorded as its own. */
export async function heed(post: Post, told: Told): Promise<void> {
  await take(post, told)
  await beat(post, told.event.session)
}

async function take(post: Post, { event, path }: Told): Promise<void> {
  switch (event.event) {
    case 'session-start':
      return event.model === null ? undefined : rememberModel(post, event.session, event.model)
    case 'session-end':
    case 'turn-end':
      return endAll(post, event)
    case 'exec-start':
      return begin(post, { ...event, kind: 'exec', path: null })
    case 'exec-end':
      return end(post, event, { ...event, kind: 'exec', path: null })
    case 'write-start':
      return path === null ? undefined : begin(post, { ...event, kind: 'write', path })
    case 'write':
    case 'write-failed':
      return path === null ? undefined : end(post, event, { ...event, kind: 'write', path })
  }
}

type Calling = Omit<Parameters<typeof openWindow>[1], 'openedAt'> & Pick<AgentEvent, 'transcript'>

async function begin(post: Post, { session, agent, kind, path, call, lane, ...calling }: Calling): Promise<void> {
  // What was there before is somebody else's, and is recorded before the agent can touch it.
  if (!(await isWatched(post))) await post.recordUnwatched()
  else if (path !== null && (await isFresh(post, path))) await flushDaemon(post, FLUSH_MS)
  const model = await modelOf(post, { session, ...calling })
  await openWindow(post, { session, agent, model, kind, path, call, lane })
}

async function isWatched(post: Post): Promise<boolean> {
  const answers = await askDaemon(post, { ask: 'status' })
  await answers?.return(undefined)
  return answers !== null
}

async function isFresh({ root, files, clock }: Post, path: string): Promise<boolean> {
  const modifiedAt = await files.modifiedAt(join(root, path))
  return modifiedAt !== null && clock.now() - modifiedAt < SEEN_MS
}

async function end(post: Post, event: AgentEvent, call: Calling): Promise<void> {
  const window = await closeWindow(post, call)
  const wasWatched = await recorded(post)
  if (window) return dropWindow(post, call)
  if (event.event !== 'write' || call.path === null) return
  // Of what nobody watched, only the agent's own word about what stood there tells its write from an earlier one.
  if (!wasWatched && event.before === undefined) return
  const { session, agent, path } = call
  const model = await modelOf(post, event)
  await post.claimLate({ session, agent, model, path, before: event.before })
}

async function endAll(post: Post, { event, session }: AgentEvent): Promise<void> {
  if (await closeWindowsOf(post, session)) await recorded(post)
  await dropWindowsOf(post, session)
  if (event !== 'session-end') return
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
