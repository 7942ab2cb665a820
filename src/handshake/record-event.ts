import { realpath } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import type { AgentEvent } from '../agents/event.ts'
import type { Window } from '../attribution/window.ts'
import { isWithin, realPathOf } from '../io/real-path.ts'
import { heed } from '../recording/heed.ts'
import type { Governed } from './governed.ts'

/** Takes down what an agent, which works in `cwd`, is about to do or has done; the window of what is done now. */
export async function recordEvent(place: Governed, event: AgentEvent | null, cwd: string): Promise<Window | null> {
  if (!event) return null
  const named = 'paths' in event ? event.paths : []
  const paths = await Promise.all(named.map(it => pathIn(place, resolve(cwd, it))))
  const open = async () => (await import('../workspace/workspace.ts')).openWorkspace(place.root)
  const later = {
    recordUnwatched: async () => (await import('../recording/unwatched.ts')).recordUnwatched(await open()),
    endSession: async (it: string) => (await import('../workspace/end-hooked.ts')).endHooked(await open(), it),
    resumeSession: async (it: string) => (await import('../workspace/resume-hooked.ts')).resumeHooked(await open(), it),
    claimLate: async (it: LateClaim) => (await import('../recording/claim-late.ts')).claimLate(await open(), it),
  }
  return heed({ ...place, ...later }, { event, paths: paths.filter(it => it !== null) })
}

type LateClaim = Parameters<Parameters<typeof heed>[0]['claimLate']>[0]

/** A path as git names it, wherever links lead; null for what lies outside of the worktree, or is git's own. */
async function pathIn({ root, gitDir }: Pick<Governed, 'root' | 'gitDir'>, path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => realPathOf(path))
  const name = relative(root, real)
  const isGits = isWithin(gitDir, real) || /^\.git(\/|$)/.test(name)
  return isWithin(root, real) && !isGits ? name : null
}
