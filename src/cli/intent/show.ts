import { findIntent } from '../../intents/find-intent.ts'
import { loadRegistry } from '../../policy/load-policy.ts'
import { liveSessions } from '../../sessions/live-sessions.ts'
import { intentLines, intentSessionLine } from '../../report/intent-lines.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { firstArgument } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef intent show`: one intent, with its live sessions in this worktree. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, firstArgument(call))
  const sessions = (await liveSessions(workspace)).filter(it => it.intent === intent.id)
  return { text: [...intentLines(intent), ...sessions.map(intentSessionLine)].join('\n'), json: { intent, sessions } }
}
