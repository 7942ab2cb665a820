import { join } from 'node:path'
import { type Gatherer, listFolder, readBytes } from '../../../core/git/gatherer.ts'
import type { Session } from '../../../core/intents/session.ts'
import { processAncestors } from '../../io/process/processes.ts'
import { parseObject } from '../../../core/base/payload.ts'
import { ownPath } from '../../io/worktree/layout.ts'
import type { ToolWindow } from '../../../core/authorship/tool-window.ts'
import { isRunningCall } from './windows.ts'

/** An agent below whose process this one runs. `intent` is null when its session has ended. */
export type AgentAbove = { readonly session: string; readonly agent: string; readonly intent: string | null }

/**
 * Gathers the agent that this process belongs to, from the sessions and the running commands of all worktrees of the
 * clone; null for a process of a person. A process can unset a variable or go to another worktree, but it keeps its
 * parents.
 */
export function* gatherAgentAbove({ commonDir }: { readonly commonDir: string }): Gatherer<AgentAbove | null> {
  const { sessions: agents, windows } = yield* gatherAgentRecords({ commonDir }, ['sessions'])
  const known = [...agents, ...windows.filter(it => it.kind === 'exec' && isRunningCall(it))]
  // Process ids are asked for only where one can be an agent's.
  const ancestors = known.some(it => isPid(it.pid)) ? processAncestors() : []
  const own = known.find(it => isPid(it.pid) && ancestors.includes(it.pid))
  if (!own) return null
  const session = 'session' in own ? own.session : own.id
  const intent = agents.find(it => it.id === session)?.intent ?? null
  return { session, agent: own.agent ?? 'an agent', intent }
}

/** What the files of all worktrees of the clone say of agents: their sessions in some folders, and their windows. */
export type AgentRecords = { readonly sessions: readonly Session[]; readonly windows: readonly ToolWindow[] }

/** Gathers them. */
export function* gatherAgentRecords(
  { commonDir }: { readonly commonDir: string },
  folders: readonly string[],
): Gatherer<AgentRecords> {
  const linked = yield* listFolder(join(commonDir, 'worktrees'))
  const sessions: Session[] = []
  const windows: ToolWindow[] = []
  for (const gitDir of [commonDir, ...linked.map(it => join(commonDir, 'worktrees', it))]) {
    for (const folder of folders)
      for (const it of yield* readRecords<Session>(ownPath({ gitDir }, folder)))
        if (it.kind === 'agent') sessions.push(it)
    for (const it of yield* readRecords<ToolWindow>(ownPath({ gitDir }, 'windows'))) windows.push(it)
  }
  return { sessions, windows }
}

function isPid(pid: unknown): pid is number {
  return typeof pid === 'number'
}

function* readRecords<T>(folder: string): Gatherer<T[]> {
  const records: T[] = []
  for (const name of (yield* listFolder(folder)).filter(it => it.endsWith('.json'))) {
    const bytes = yield* readBytes(join(folder, name))
    const record = parseObject(bytes?.toString('utf8') ?? '')
    if (record) records.push(record as T)
  }
  return records
}
