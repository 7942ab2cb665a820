import type { IntentStatus } from '../../intents/intent.ts'
import { stopIntent } from '../../intent-lifecycle/change-intents.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { firstArgument, textOption } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef intent block` and `kotef intent abandon`: ends the work on an intent. */
export function blockOrAbandon(to: IntentStatus): RunVerb {
  return async call => {
    const workspace = await openWorkspace(call.cwd)
    const intent = await stopIntent(workspace, { id: firstArgument(call), to, reason: textOption(call, 'reason') })
    return { text: `${intent.id} is ${intent.status}: ${intent.name}`, json: { intent } }
  }
}
