import { KotefError } from '../report/failure.ts'
import { addIntent } from '../workspace/change-intents.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { commitAdvice } from './commit-advice.ts'
import { fieldsOf } from './intent-fields.ts'
import { textOption } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef intent add`: a new intent, PENDING. */
export const run: Run = async call => {
  const fields = fieldsOf(call)
  if (fields.name === undefined)
    throw new KotefError('usage', 'An intent needs a name.', { hint: 'Give it with --name.' })
  const workspace = await openWorkspace(call.cwd)
  const intent = await addIntent(workspace, { ...fields, id: textOption(call, 'id') })
  const lines = [
    `${intent.id} added: ${intent.name}`,
    ...(intent.owned_scope.length === 0 ? ['  It owns nothing yet: name its paths with --scope.'] : []),
    `  Start it with \`kotef intent start ${intent.id}\`.`,
    ...(await commitAdvice(workspace, `add ${intent.id}`)),
  ]
  return { text: lines.join('\n'), json: { intent } }
}
