import { attestableCriteria } from '../intent-lifecycle/complete-intents.ts'
import { findIntent } from '../intents/intent.ts'
import { loadRegistry } from '../policy/load-policy.ts'
import { attestedNow, recordAttestation } from '../registry/attestations.ts'
import { printable } from '../text/printable.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import { intentInQuestion } from './intent-in-question.ts'
import { askConfirmation } from './prompts.ts'
import { requirePerson, requireTerminal } from './person.ts'
import type { RunVerb } from './verb.ts'

/** `kotef attest`: asks a person at a terminal which criteria without a check the files as they are meet. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { person, remarks } = await requirePerson(call, workspace, { what: 'attest' })
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, await intentInQuestion(call, workspace, 'attest'))
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
