import { findingLines } from '../report/lines.ts'
import { type CriterionResult, completeIntent } from '../workspace/complete-intent.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { firstArgument, textOption } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef intent complete`: runs the checks; the intent is completed when all hold and the rest is attested. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intent, results, findings } = await completeIntent(workspace, {
    id: firstArgument(call),
    reason: textOption(call, 'reason'),
    attested: call.options['attest'] === true,
    env: call.env,
    running: command => call.tell(`$ ${command}`),
  })
  const json = { intent, results, findings }
  if (findings.length > 0) return { text: findingLines(`${intent.id} is not complete`, findings), json, exit: 1 }
  return { text: [`${intent.id} is ${intent.status}: ${intent.name}`, ...results.map(resultLine)].join('\n'), json }
}

function resultLine({ criterion, why }: CriterionResult): string {
  return `  ${why.padEnd(8)}  ${criterion}`
}
