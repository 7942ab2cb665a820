import { execFileSync } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { AgentEvent } from '../agents/event.ts'
import { hear } from '../agents/hear.ts'
import { whereAmI } from '../diff/where-am-i.ts'
import { systemClock } from '../io/clock.ts'
import { disk } from '../io/files.ts'
import { isWithin, realPathOf } from '../io/real-path.ts'
import { withoutPlaces } from '../io/without-places.ts'
import { heed } from '../recording/heed.ts'
import { toKotefError } from '../report/failure.ts'
import type { Call } from './verb.ts'

/**
 * `kotef agent-hook`: hears on stdin what an agent does. It records and judges nothing, so whatever goes wrong is told,
 * and the agent goes on.
 */
export async function run({ args: [agent], cwd, tell }: Pick<Call, 'args' | 'cwd' | 'tell'>): Promise<null> {
  try {
    const heard = hear(String(agent), await text(process.stdin))
    if ('problem' in heard) tell(`kotef: the payload is not understood. ${heard.problem}`)
    else if (heard.event) await take(heard.event, cwd)
  } catch (thrown) {
    const { message, hint } = toKotefError(thrown)
    tell(`kotef: what the agent did is not known to be its own. ${message}\n  ${hint}`)
  }
  return null
}

async function take(event: AgentEvent, cwd: string): Promise<void> {
  const folder = resolve(cwd, event.cwd ?? '.')
  const worktree = worktreeAt(folder)
  // Nobody asked for a ledger here.
  if (!worktree || (await disk.modifiedAt(join(worktree.root, '.orchestration'))) === null) return
  const path = 'path' in event ? await pathIn(worktree, resolve(folder, event.path)) : null
  const open = async () => (await import('../workspace/workspace.ts')).openWorkspace(worktree.root)
  await heed(
    {
      ...worktree,
      files: disk,
      clock: systemClock,
      recordUnwatched: async () => (await import('../recording/unwatched.ts')).recordUnwatched(await open()),
      endSession: async session => (await import('../workspace/end-hooked.ts')).endHooked(await open(), session),
      claimLate: async claim => (await import('../recording/claim-late.ts')).claimLate(await open(), claim),
    },
    { event, path },
  )
}

type Worktree = { readonly root: string; readonly gitDir: string }

/** The worktree that a folder lies in; null when there is none. */
function worktreeAt(cwd: string): Worktree | null {
  try {
    const around = { cwd, env: withoutPlaces(process.env) }
    const [root, gitDir] = whereAmI.parse(
      execFileSync('git', whereAmI.args, { ...around, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    return root && gitDir ? { root, gitDir } : null
  } catch {
    return null
  }
}

/** A path as git names it, wherever links lead; null for what lies outside of the worktree, or is git's own. */
async function pathIn({ root, gitDir }: Worktree, path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => realPathOf(path))
  const name = relative(root, real)
  const isGits = isWithin(gitDir, real) || /^\.git(\/|$)/.test(name)
  return isWithin(root, real) && !isGits ? name : null
}
