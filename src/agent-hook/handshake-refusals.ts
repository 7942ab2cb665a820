import type { GateVerdict } from '../gate/judge-tool.ts'
import type { ToolCall } from '../gate/parse-tool-call.ts'
import { fileNameFor } from '../io/files/file-name.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'
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
  const [known, name] = [knownSessions(worktree), `${fileNameFor(session)}.json`]
  if ((await known.get(name)) !== null) return
  await known.put(name, true)
  const { appendRecords } = await import('../ledger-store/append-records.ts')
  const { openWorkspace } = await import('../worktree/workspace.ts')
  // A name is any text that an agent sends.
  const event = { event: 'refused', session, agent, tool: tool.slice(0, NAME_CHARS_MAX), code: reason.code } as const
  await appendRecords(await openWorkspace(worktree.root), [{ event }])
}

const NAME_CHARS_MAX = 80

function knownSessions(access: GitDirAccess) {
  return recordDir<true>(access, { folder: ['handshakes'], fileName: /\.json$/, parse: () => true, max: 50 })
}
