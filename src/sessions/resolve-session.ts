import type { Session } from '../intents/session.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { liveSessions } from './live-sessions.ts'

/** The live session of this id; for null, the only live session of the worktree. Throws when that is not one. */
export async function resolveSession(workspace: Workspace, id: string | null): Promise<Session> {
  const sessions = await liveSessions(workspace)
  const [only, ...others] = sessions
  if (id === null && only && others.length === 0) return only
  const found = sessions.find(it => it.id === id)
  if (found) return found
  const known = sessions.map(it => `  ${printable(it.id)}  ${it.intent}  ${printable(it.agent ?? 'a person')}`)
  const what =
    id !== null
      ? `No session ${printable(id)} is live in this worktree.`
      : known.length === 0
        ? 'No session is live in this worktree.'
        : 'Several sessions are live in this worktree: name one.'
  throw new KotefError('unknown-session', [what, ...(known.length > 0 ? ['Live sessions:', ...known] : [])].join('\n'))
}
