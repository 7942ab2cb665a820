import { isStillRunning, type RunningProcess, runningProcess } from '../../io/process/processes.ts'
import type { Session } from '../../../core/intents/session.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../../io/worktree/workspace.ts'

// The end of a session is what an agent reports, or a command of it: its process is kept in mind as long as it runs.

/** Keeps the process of a session in mind that ends. */
export async function rememberEndedAgent(access: GitDirAccess, { pid }: Pick<Session, 'pid'>): Promise<void> {
  const folder = endedAgents(access)
  const known = await folder.list()
  for (const { name, record } of known) if (!isStillRunning(record)) await folder.remove(name)
  const ended = pid === null ? null : runningProcess(pid)
  if (ended) await folder.put(`${ended.pid}.json`, ended)
}

/** True while an agent runs whose session has ended, and which has no other one. */
export async function hasEndedAgents(access: GitDirAccess, live: readonly Pick<Session, 'pid'>[]): Promise<boolean> {
  const ended = await endedAgents(access).list()
  return ended.some(({ record }) => live.every(it => it.pid !== record.pid) && isStillRunning(record))
}

function endedAgents(access: GitDirAccess) {
  return recordDir(access, { folder: ['ended-agents'], fileName: /^\d+\.json$/, parse: parseProcess })
}

function parseProcess(text: string): RunningProcess | null {
  const { pid, started } = parseObject(text) ?? {}
  return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : null
}
