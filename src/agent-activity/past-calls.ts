import type { AgentCall } from '../attribution/proof-of-person.ts'
import type { ToolWindow } from '../attribution/tool-window.ts'
import { fileNameFor } from '../io/files/file-name.ts'
import { ownGroup } from '../io/process/processes.ts'
import { parseObject } from '../text/payload.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'

// When a call is over, what it left running is known by the time at which it started.

/** Keeps when a command of an agent ran. It is called by the agent's hook, which has the control group of the agent. */
export async function keepPastCall(access: GitDirAccess, window: ToolWindow): Promise<void> {
  const { session, agent, kind, openedAt: from, closedAt: to } = window
  if (kind !== 'exec' || to === null) return
  const call: AgentCall = { session, agent, from, to, group: ownGroup() }
  await pastCalls(access).put(`${Math.floor(from)}-${fileNameFor(session)}.json`, call)
}

/** The calls of a worktree that are over, as far as they are kept. */
export async function readPastCalls(access: GitDirAccess): Promise<AgentCall[]> {
  return (await pastCalls(access).list()).map(it => it.record)
}

// A program that is left running answers within hours; afterwards its start is one at an unknown time.
const CALLS_MAX = 200

function pastCalls(access: GitDirAccess) {
  return recordDir(access, { folder: ['calls'], fileName: /^\d+-.*\.json$/, parse: parseCall, max: CALLS_MAX })
}

function parseCall(text: string): AgentCall | null {
  const { session, agent, from, to, group } = parseObject(text) ?? {}
  const isWhole = [session, agent].every(it => typeof it === 'string') && [from, to].every(it => typeof it === 'number')
  return isWhole ? ({ session, agent, from, to, group: typeof group === 'string' ? group : null } as AgentCall) : null
}
