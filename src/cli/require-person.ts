import { agentVariable } from '../agents/detect-agent.ts'
import { KotefError } from '../findings/failure.ts'
import { printable } from '../text/printable.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { VerbCall } from './verb.ts'

/**
 * Refuses a call that an agent makes, as far as kotef can detect it. It can't detect an agent that sets no known
 * variable and uses a terminal of its own or --yes; that agent's hook denies the command, and the ledger records each
 * grant.
 */
export async function requirePerson({ env }: VerbCall, workspace: Workspace): Promise<void> {
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent') {
    throw new KotefError('person-needed', `${printable(session.agent ?? 'An agent')} can't approve; a person must.`)
  }
  const variable = agentVariable(env)
  if (variable === null) return
  throw new KotefError('person-needed', `An agent runs this (${variable} is set), and can't approve; a person must.`)
}

/** Refuses a call without a person at a terminal. Commands that accept `--yes` ask for this only without it. */
export function requireTerminal({ interactive, options }: VerbCall): void {
  if (interactive && options['json'] !== true) return
  throw new KotefError('person-needed', 'Approving needs a person at a terminal.')
}
