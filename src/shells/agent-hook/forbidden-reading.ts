import { access } from 'node:fs/promises'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import { type GateVerdict, judgeReading } from '../../core/agents/gate/judge-tool.ts'
import { locateWorktree } from '../../world/io/git/read-git-dir.ts'
import { COMMANDS_FORBIDDEN, ownPath } from '../../world/io/worktree/layout.ts'
import { gateFacts } from './gate-facts.ts'
import type { LightWorktree } from './governed-worktree.ts'

/**
 * True for a command that only reads, in a worktree where constraints forbid commands: it is judged all the same. The
 * compiler of the policy leaves a mark there, since such a call waits for no git.
 */
export async function mayBeForbidden({ shell }: Pick<ToolCall, 'shell'>, cwd: string): Promise<boolean> {
  if (shell?.kind !== 'read' || shell.runs.length === 0) return false
  const worktree = locateWorktree(cwd)
  if (!worktree) return false
  const isMarked = access(ownPath(worktree, 'compiled', COMMANDS_FORBIDDEN)).then(() => true)
  return isMarked.catch(() => false)
}

/** The verdict on such a command. */
export async function judgeReadingHere(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<GateVerdict> {
  return judgeReading(call, await gateFacts(worktree, call, cwd))
}
