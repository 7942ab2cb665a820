import type { GateVerdict } from '../../core/agents/gate/judge-tool.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import { fileNameFor } from '../../world/io/files/file-name.ts'
import { recordDir } from '../../world/io/worktree/record-dir.ts'
import type { GitDirAccess } from '../../world/io/worktree/workspace.ts'
import type { LightWorktree } from './governed-worktree.ts'

/**
 * Records the first call of a session that was refused because the session has no intent. An agent may try a hundred
 * times before it selects one, so the others are not recorded.
 */
export async function recordHandshakeRefusal(
  worktree: LightWorktree,
  { agent, session, tool }: Pick<ToolCall, 'agent' | 'session' | 'tool'>,
  { reasons }: GateVerdict,
): Promise<void> {
  const [reason] = reasons
  if (reason?.code !== 'intent-required') return
  const known = knownSessions(worktree)
  const name = `${fileNameFor(session)}.json`
  if ((await known.get(name)) !== null) return
  await known.put(name, true)
  const { appendRecords } = await import('../../world/ledger/append-records.ts')
  const { openWorkspace } = await import('../../world/io/worktree/workspace.ts')
  // A name is any text that an agent sends.
  const event = { event: 'refused', session, agent, tool: tool.slice(0, NAME_CHARS_MAX), code: reason.code } as const
  await appendRecords(await openWorkspace(worktree.root), [{ event }])
}

const NAME_CHARS_MAX = 80

function knownSessions(access: GitDirAccess) {
  return recordDir<true>(access, { folder: ['handshakes'], fileName: /\.json$/, parse: () => true, max: 50 })
}
