import { hasFailed, type RunEvent } from '../../core/runs/event.ts'
import { commandLine, safeEvent, type SafeEvent } from '../../core/runs/safe-event.ts'
import { keepPrivateCall } from '../../world/runs/private-calls.ts'
import { cloneSalt } from '../../world/io/worktree/private-files.ts'
import { trackedPlaces } from '../../world/io/worktree/tracked-places.ts'
import type { LightWorktree } from './governed-worktree.ts'

/** The events of a call as they may be stored. `about` is the file of the worktree that it read or wrote. */
export async function safeEvents(
  worktree: LightWorktree,
  events: readonly RunEvent[],
  about: string | null,
): Promise<SafeEvent[]> {
  const salt = await cloneSalt(worktree)
  const failed = events.find(it => it.kind === 'tool' && hasFailed(it))
  const places = failed?.kind === 'tool' ? await trackedPlaces(worktree, failed.result) : []
  const terms = { salt, published: [], places, about }
  return events.map(it => safeEvent(it, terms)).filter(it => it !== null)
}

/** Keeps a command, and any call that failed, for the person at this machine; other calls say little to a person. */
export async function keepForPerson(
  worktree: LightWorktree,
  session: string,
  events: readonly RunEvent[],
): Promise<void> {
  const call = events.find(it => it.kind === 'tool')
  if (call?.kind !== 'tool' || (call.does === undefined && !hasFailed(call))) return
  const { tool, args, result } = call
  const input = commandLine(args) ?? JSON.stringify(args) ?? ''
  const at = worktree.clock.now()
  await keepPrivateCall(worktree, session, { at, tool, input, output: result, isFailure: hasFailed(call) })
}
