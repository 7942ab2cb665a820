import { findIntent, type Intent, intentOfTicket } from '../../../core/intents/intent.ts'
import { asOneList, withoutLiveStatuses, withStatus } from '../../../core/intents/edit-yaml.ts'
import { elsewhereText } from '../../../core/report/claim-line.ts'
import { claimsElsewhere } from '../../../world/intents/sessions/other-clones.ts'
import { loadConfig, loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { intentsWithLiveStatus } from '../../../world/intents/sessions/intents-in-work.ts'
import { liveSessions } from '../../../world/intents/sessions/live-sessions.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { type RunVerb, firstArgument } from '../verb.ts'
import { intentLines, intentSessionLine } from '../../../core/report/intent-lines.ts'

/** `kotef intent list`: all intents, in the order of the registry; `*` marks those with a session in this worktree. */
export const listAllIntents: RunVerb = async ({ cwd, options }) => {
  const workspace = await openWorkspace(cwd)
  const registry = await loadRegistry(workspace)
  const intents = await intentsWithLiveStatus(workspace, registry.intents)
  const inWork = new Set((await liveSessions(workspace)).map(it => it.intent))
  const elsewhere = await claimsElsewhere(workspace, await loadConfig(workspace))
  const heldIn = ({ id }: Intent) => elsewhere.filter(it => it.intent === id)
  const json = { intents: intents.map(it => ({ ...it, in_work: inWork.has(it.id), elsewhere: heldIn(it) })) }
  if (options['format'] === 'yaml') return { text: liveRegistryText(registry.text, intents).trimEnd(), json }
  if (intents.length === 0) return { text: 'No intents yet. Add one with `kotef intent add`.', json }
  const now = workspace.clock.now()
  const remarks = elsewhere.map(it => `${it.intent} is held in ${elsewhereText(it, now)}`)
  return { text: [...intentTable(intents, inWork), ...remarks].join('\n'), json }
}

function liveRegistryText(text: string, intents: readonly Intent[]): string {
  const inProgress = intents.filter(it => it.status === 'IN_PROGRESS')
  return inProgress.reduce((out, { id, status }) => withStatus(out, id, status), withoutLiveStatuses(asOneList(text)))
}

function intentTable(intents: readonly Intent[], inWork: ReadonlySet<string>): string[] {
  const width = Math.max(...intents.map(it => it.id.length))
  const row = (it: Intent) =>
    `${inWork.has(it.id) ? '*' : ' '} ${it.id.padEnd(width)}  ${it.status.padEnd(11)}  ${it.name}`
  return intents.map(row)
}

/** `kotef intent show`: one intent, with its live sessions in this worktree. */
export const showIntent: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const intents = await intentsWithLiveStatus(workspace, (await loadRegistry(workspace)).intents)
  const named = firstArgument(call)
  const intent = intentOfTicket(intents, named) ?? findIntent(intents, named)
  const sessions = (await liveSessions(workspace)).filter(it => it.intent === intent.id)
  return {
    text: [...intentLines(intent), ...sessions.map(it => intentSessionLine(it, workspace.clock.now()))].join('\n'),
    json: { intent, sessions },
  }
}
