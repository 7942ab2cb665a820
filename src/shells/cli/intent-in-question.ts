import { KotefError } from '../../core/base/failure.ts'
import { sessionIntents } from '../../core/intents/session.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

/** The intent that a call names, or else the only one that has a session. */
export async function intentInQuestion({ args }: VerbCall, workspace: Workspace, verb: string): Promise<string> {
  if (typeof args[0] === 'string') return args[0]
  const [first, ...others] = sessionIntents(await liveSessions(workspace))
  if (first !== undefined && others.length === 0) return first
  const message = first ? `There are sessions on ${first}, ${others.join(', ')}.` : 'No session has an intent.'
  throw new KotefError('usage', message, { hint: `Name the intent: \`kotef ${verb} ${first ?? 'INT-001'}\`` })
}
