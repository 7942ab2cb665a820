import { KotefError } from '../findings/failure.ts'
import { loadContract } from '../intent-lifecycle/saved-contract.ts'
import { sessionIntents } from '../intents/session.ts'
import { contractLines } from '../report/contract-lines.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import { type RunVerb, textOption } from './verb.ts'

/** `kotef contract`: what a run of an intent works for and is measured by, and where each line is from. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const [named] = call.args
  const intent = typeof named === 'string' ? named : await onlyIntent(workspace)
  const saved = await loadContract(workspace, { intent, ticket: textOption(call, 'ticket'), cwd: call.cwd })
  return { text: contractLines(saved.contract).join('\n'), json: saved }
}

async function onlyIntent(workspace: Workspace): Promise<string> {
  const [first, ...others] = sessionIntents(await liveSessions(workspace))
  if (first !== undefined && others.length === 0) return first
  throw new KotefError(
    'usage',
    first ? `There are sessions on ${first}, ${others.join(', ')}.` : 'No session has an intent.',
    {
      hint: `Name the intent: \`kotef contract ${first ?? 'INT-001'}\``,
    },
  )
}
