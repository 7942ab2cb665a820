import { findingLines } from '../../report/finding-lines.ts'
import { completeIntent, type CriterionResult } from '../../intent-lifecycle/complete-intent.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { firstArgument, textOption } from '../options.ts'
import type { RunVerb } from '../verb.ts'
import type { IntentStatus } from '../../intents/intent.ts'
import { stopIntent } from '../../intent-lifecycle/change-intents.ts'

/** `kotef intent complete`: runs an intent's checks, and completes it when they pass and the rest is attested. */
export const complete: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intent, results, findings } = await completeIntent(workspace, {
    id: firstArgument(call),
    reason: textOption(call, 'reason'),
    attested: call.options['attest'] === true,
    env: call.env,
    onCheckStart: command => call.notify(`$ ${command}`),
  })
  const json = { intent, results, findings }
  if (findings.length > 0) return { text: findingLines(`${intent.id} is not complete`, findings), json, exit: 1 }
  return { text: [`${intent.id} is ${intent.status}: ${intent.name}`, ...results.map(resultLine)].join('\n'), json }
}

function resultLine({ criterion, why }: CriterionResult): string {
  return `  ${why.padEnd(8)}  ${criterion}`
}

/** `kotef intent block` and `kotef intent abandon`: ends the work on an intent. */
export function blockOrAbandon(to: IntentStatus): RunVerb {
  return async call => {
    const workspace = await openWorkspace(call.cwd)
    const intent = await stopIntent(workspace, { id: firstArgument(call), to, reason: textOption(call, 'reason') })
    return { text: `${intent.id} is ${intent.status}: ${intent.name}`, json: { intent } }
  }
}
