import { KotefError } from '../../../core/base/failure.ts'
import { type HandoverAgent, HANDOVER_AGENTS, handoverAgent } from '../../../core/handover/agents.ts'
import { sessionInQuestion } from '../../../world/handover/session-folder.ts'
import { printable } from '../../../core/base/printable.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, lineOption, type VerbCall } from '../verb.ts'

/** The session that a call is for: `--session`, else the only one that is open. */
export function sessionOption(call: VerbCall, workspace: Workspace): Promise<string> {
  return sessionInQuestion(workspace, lineOption(call, 'session'))
}

/** The same for a verb whose argument may name the session as well. */
export function sessionArgument(call: VerbCall, workspace: Workspace): Promise<string> {
  const word = firstArgument(call) || null
  const option = lineOption(call, 'session')
  if (word === null || option === null || word === option) return sessionInQuestion(workspace, word ?? option)
  throw new KotefError('usage', `Two sessions are named: ${printable(word)} and ${printable(option)}`)
}

/** The agent that a flag names; null without the flag. */
export function agentOption(call: VerbCall, flag: 'role' | 'agent'): HandoverAgent | null {
  const word = lineOption(call, flag)
  const agent = handoverAgent(word)
  if (word === null || agent !== null) return agent
  throw new KotefError('usage', `--${flag} takes one of ${HANDOVER_AGENTS.join(', ')}, not ${word}`)
}
