import { KotefError } from '../../findings/failure.ts'
import { type HandoverAgent, HANDOVER_AGENTS, handoverAgent } from '../../handover/agents.ts'
import { sessionInQuestion } from '../../handover-sessions/session-folder.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { lineOption, type VerbCall } from '../verb.ts'

/** The session that a call is for: `--session`, else the only one that is open. */
export function sessionOption(call: VerbCall, workspace: Workspace): Promise<string> {
  return sessionInQuestion(workspace, lineOption(call, 'session'))
}

/** The agent that a flag names; null without the flag. */
export function agentOption(call: VerbCall, flag: 'role' | 'agent'): HandoverAgent | null {
  const word = lineOption(call, flag)
  const agent = handoverAgent(word)
  if (word === null || agent !== null) return agent
  throw new KotefError('usage', `--${flag} takes one of ${HANDOVER_AGENTS.join(', ')}, not ${word}`)
}
