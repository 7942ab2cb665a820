import type { IntentFields } from '../../intents/edit-yaml.ts'
import type { Intent } from '../../intents/intent.ts'
import { KotefError } from '../../findings/failure.ts'
import { editIntent } from '../../intent-lifecycle/change-intents.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { commitAdvice } from '../../registry/commit-advice.ts'
import { intentFieldsIn } from './field-options.ts'
import { firstArgument, listOption } from '../options.ts'
import type { VerbCall, RunVerb } from '../verb.ts'

/** `kotef intent edit`: replaces fields of an intent, or adds and removes single globs of its scope. */
export const run: RunVerb = async call => {
  if (Object.keys(fieldChanges(call, [])).length === 0) {
    throw new KotefError('usage', 'Nothing to edit.', {
      hint: 'Name the fields to change: see `kotef intent edit --help`',
    })
  }
  const workspace = await openWorkspace(call.cwd)
  let before: Intent | null = null
  const intent = await editIntent(workspace, firstArgument(call), it => fieldChanges(call, (before = it).owned_scope))
  const advice = await commitAdvice(workspace, `edit ${intent.id}`)
  const scopeChanged = JSON.stringify(before && (before as Intent).owned_scope) !== JSON.stringify(intent.owned_scope)
  const lines = [
    `Edited ${intent.id}.`,
    ...(scopeChanged && advice.length > 0 ? ['  The committed scope applies until this change is committed.'] : []),
    ...advice,
  ]
  return { text: lines.join('\n'), json: { intent } }
}

function fieldChanges(call: VerbCall, scope: readonly string[]): IntentFields {
  const fields = intentFieldsIn(call)
  const added = listOption(call, 'addScope')
  const removed = listOption(call, 'removeScope')
  if (!added && !removed) return fields
  const remaining = (fields.owned_scope ?? scope).filter(it => !removed?.includes(it))
  return { ...fields, owned_scope: [...new Set([...remaining, ...(added ?? [])])] }
}
