import type { Status } from '../intents/intent.ts'
import { restIntent } from '../workspace/change-intents.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { firstArgument, textOption } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef intent block` and `kotef intent abandon`: nobody works on the intent from now on. */
export function restingIn(to: Status): Run {
  return async call => {
    const workspace = await openWorkspace(call.cwd)
    const intent = await restIntent(workspace, { id: firstArgument(call), to, reason: textOption(call, 'reason') })
    return { text: `${intent.id} is ${intent.status}: ${intent.name}`, json: { intent } }
  }
}
