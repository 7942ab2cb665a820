import type { AgentCall } from '../../../core/authorship/proof-of-person.ts'
import type { ToolWindow } from '../../../core/authorship/tool-window.ts'
import { fileNameFor } from '../../io/files/file-name.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { EXECUTE_WINDOW_MS_MAX } from '../../../core/base/thresholds.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../../io/worktree/workspace.ts'

// When a call is over, what it left running is known by the time at which it started.

/**
 * Keeps when a command of an agent ran, as far as the disk can: a window must end without it as well. The call of an
 * agent that was killed has no end, and counts for as long as its window did.
 */
export async function keepPastCall(access: GitDirAccess, window: ToolWindow): Promise<void> {
  const { session, agent, kind, openedAt: from, closedAt, group = null } = window
  if (kind !== 'exec') return
  const call: AgentCall = { session, agent, from, to: closedAt ?? from + EXECUTE_WINDOW_MS_MAX, group }
  const name = `${Math.floor(from)}-${fileNameFor(session)}.json`
  await pastCalls(access)
    .put(name, call)
    .catch(() => {})
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
