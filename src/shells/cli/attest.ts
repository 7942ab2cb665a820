import { attestableCriteria } from '../../world/lifecycle/complete-intents.ts'
import { findIntent } from '../../core/intents/intent.ts'
import { intentWithTicket } from '../../world/intents/registry/intent-ticket.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'
import { attestedNow, recordAttestation } from '../../world/checks/attestations.ts'
import { printable } from '../../core/base/printable.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { intentInQuestion } from './intent-in-question.ts'
import { askConfirmation } from './prompts.ts'
import { requirePerson, requireTerminal } from './person.ts'
import type { RunVerb } from './verb.ts'

/** `kotef attest`: asks a person at a terminal which criteria without a check the files as they are meet. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { person, remarks } = await requirePerson(call, workspace, { what: 'attest' })
  const { intents } = await loadRegistry(workspace)
  const declared = findIntent(intents, await intentInQuestion(call, workspace, 'attest'))
  const intent = await intentWithTicket(workspace, declared)
  const { id } = intent
  const manual = attestableCriteria(intent)
  if (manual.length === 0) return { text: `${id} has no criterion that a person attests.`, json: null }
  requireTerminal(call, 'Attesting', `Run it at a terminal yourself: \`kotef attest ${id}\``)
  const known = await attestedNow(workspace, { intent: id, criteria: manual }, call.env)
  const met: string[] = []
  for (const it of manual.filter(one => !known.criteria.includes(one)))
    if (await askConfirmation(`${id}: is this met? ${printable(it)}`, { deliberate: true })) met.push(it)
  if (met.length > 0) await recordAttestation(workspace, { intent: id, criteria: met, tree: known.tree, person })
  const open = manual.length - known.criteria.length - met.length
  const text = `${id}: ${manual.length - open} of ${manual.length} criteria attested on these files.`
  return { text: [text, ...(met.length > 0 ? remarks : [])].join('\n'), json: null, exit: open === 0 ? 0 : 1 }
}
