import { signOfAgent } from '../agents/inside.ts'
import { KotefError } from '../report/failure.ts'
import { printable } from '../report/printable.ts'
import { liveSessions } from '../workspace/sessions.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Call } from './verb.ts'

// An agent that hides what it is, and has a terminal of its own or says --yes, is not seen here: its own hook denies
// it the command, and what was granted stands in the ledger.
/** Refuses a call that an agent makes, as far as that can be seen. */
export async function refuseAgents({ env }: Call, workspace: Workspace): Promise<void> {
  const session = (await liveSessions(workspace)).find(it => it.id === env['KOTEF_SESSION'])
  if (session?.kind === 'agent') {
    throw new KotefError('person-needed', `${printable(session.agent ?? 'An agent')} can't approve; a person must.`)
  }
  const sign = signOfAgent(env)
  if (sign === null) return
  throw new KotefError('person-needed', `An agent runs this (${sign} is set), and can't approve; a person must.`)
}

/** Refuses a call that nobody at a terminal can answer; for what may be said beforehand, `--yes` is such an answer. */
export function refuseWithoutTerminal({ interactive, options }: Call): void {
  if (interactive && options['json'] !== true) return
  throw new KotefError('person-needed', 'Approving takes a person at a terminal.')
}
