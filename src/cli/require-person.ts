import { agentVariable } from '../agents/detect-agent.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

// An agent that hides what it is, and has a terminal of its own or says --yes, is not seen here: its own hook denies
// it the command, and what was granted stands in the ledger.
/** Refuses a call that an agent makes, as far as that can be seen. */
export async function requirePerson({ env }: VerbCall, workspace: Workspace): Promise<void> {
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent') {
    throw new KotefError('person-needed', `${printable(session.agent ?? 'An agent')} can't approve; a person must.`)
  }
  const variable = agentVariable(env)
  if (variable === null) return
  throw new KotefError('person-needed', `An agent runs this (${variable} is set), and can't approve; a person must.`)
}

/** Refuses a call that nobody at a terminal can answer; for what may be said beforehand, `--yes` is such an answer. */
export function requireTerminal({ interactive, options }: VerbCall): void {
  if (interactive && options['json'] !== true) return
  throw new KotefError('person-needed', 'Approving needs a person at a terminal.')
}
