import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { acquire, holderOf, release } from '../io/lock.ts'
import { KotefError } from '../report/failure.ts'
import { askDaemon, readAddress, removeAddress } from './daemon-address.ts'
import { placesOf, type Workspace } from './workspace.ts'

/** The one post that a worktree has, of whoever records what changes in it. */
export type Post = AsyncDisposable & {
  /** False when somebody took the lock away, and another daemon may be here by now. */
  isHeld(): Promise<boolean>
}

/**
 * Takes the one post that a worktree has. Refused while another daemon holds it; a dead one's is taken over. One who
 * has no address yet may be an agent's hook, which is soon done, and is waited for.
 */
export async function holdPost(workspace: Workspace, { waitMsMax = 0 } = {}): Promise<Post> {
  const lock = join(placesOf(workspace).own, 'daemon.lock')
  if (!(await acquireSoon(workspace, lock, waitMsMax))) {
    if (!(await isImpostor(workspace, await holderOf(lock)))) throw await alreadyRunning(workspace)
    await release(lock)
    if (!(await acquire(lock))) throw await alreadyRunning(workspace)
  }
  const mine = await holderOf(lock)
  const isHeld = async (): Promise<boolean> => (await holderOf(lock)) === mine
  return {
    isHeld,
    async [Symbol.asyncDispose]() {
      if (await isHeld()) await release(lock)
    },
  }
}

async function acquireSoon(workspace: Workspace, lock: string, waitMsMax: number): Promise<boolean> {
  const until = workspace.clock.ticks() + waitMsMax
  while (!(await acquire(lock))) {
    if (workspace.clock.ticks() >= until || (await readAddress(workspace))) return false
    await delay(WAIT_MS)
  }
  return true
}

const WAIT_MS = 10

async function alreadyRunning(workspace: Workspace): Promise<KotefError> {
  const address = await readAddress(workspace)
  const who = address ? `process ${address.pid}, since ${address.since}` : 'it is just starting'
  return new KotefError('daemon-running', `A daemon watches ${workspace.root} already: ${who}.`)
}

// After a kill and a restart of the machine the process number may live again as somebody else, who opened no socket.
async function isImpostor(workspace: Workspace, holder: string): Promise<boolean> {
  const address = await readAddress(workspace)
  if (!address || `${address.pid}` !== holder.split(' ')[0]) return false
  const answers = await askDaemon(workspace, { ask: 'status' })
  await answers?.return(undefined)
  if (answers) return false
  await removeAddress(workspace)
  return true
}
