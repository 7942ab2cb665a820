import { join } from 'node:path'
import { type ContractDocument, ticketPath, withTicketCriteria } from '../../../core/intents/contract/ticket.ts'
import type { Intent } from '../../../core/intents/intent.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

/** The ticket that the registry names for an intent; null where it names none, or there is no such file. */
export async function ticketOf(
  { root, files }: Pick<Workspace, 'root' | 'files'>,
  intent: Pick<Intent, 'related_specs'>,
): Promise<ContractDocument | null> {
  const file = ticketPath(intent)
  if (file === null) return null
  const bytes = await files.read(join(root, file)).catch(() => null)
  return bytes && { file, text: bytes.toString('utf8') }
}

/** An intent with the definition of done of its ticket among its criteria. */
export async function intentWithTicket(workspace: Pick<Workspace, 'root' | 'files'>, intent: Intent): Promise<Intent> {
  return withTicketCriteria(intent, (await ticketOf(workspace, intent))?.text ?? null)
}
