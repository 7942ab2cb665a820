import { KotefError } from '../../findings/failure.ts'
import { addIntent } from '../../intent-lifecycle/change-intents.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { commitAdvice } from '../../registry/commit-advice.ts'
import { intentFieldsIn } from './field-options.ts'
import { textOption } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef intent add`: a new intent, PENDING. */
export const run: RunVerb = async call => {
  const fields = intentFieldsIn(call)
  if (fields.name === undefined)
    throw new KotefError('usage', 'An intent needs a name.', { hint: 'Give it with --name.' })
  const workspace = await openWorkspace(call.cwd)
  const intent = await addIntent(workspace, { ...fields, id: textOption(call, 'id') })
  const lines = [
    `Added ${intent.id}: ${intent.name}`,
    ...(intent.owned_scope.length === 0
      ? [`  Its scope is empty; add paths with \`kotef intent edit ${intent.id} --add-scope '<glob>'\``]
      : []),
    `  Start it with \`kotef intent start ${intent.id}\`.`,
    ...(await commitAdvice(workspace, `add ${intent.id}`)),
  ]
  return { text: lines.join('\n'), json: { intent } }
}
