import type { Session } from '../../intents/session.ts'
import { KotefError } from '../../findings/failure.ts'
import { printable } from '../../text/printable.ts'
import { liveSessions } from '../../sessions/live-sessions.ts'
import type { Workspace } from '../../worktree/workspace.ts'
import { firstArgument } from '../options.ts'
import type { VerbCall } from '../verb.ts'

/** The living session that a call names, or that it says it is, or the only one there is. */
export async function resolveSession(workspace: Workspace, call: Pick<VerbCall, 'args' | 'env'>): Promise<Session> {
  const sessions = await liveSessions(workspace)
  const named = firstArgument(call) || call.env['KOTEF_SESSION'] || null
  const [only, ...others] = sessions
  if (named === null && only && others.length === 0) return only
  const found = sessions.find(it => it.id === named)
  if (found) return found
  const known = sessions.map(it => `  ${printable(it.id)}  ${it.intent}  ${printable(it.agent ?? 'a person')}`)
  const what = named === null ? 'Which session is meant?' : `No session ${printable(named)} lives in this worktree.`
  throw new KotefError(
    'unknown-session',
    [what, ...(known.length > 0 ? ['Living sessions:', ...known] : [])].join('\n'),
  )
}
