import { contextObject, contextText } from '../../core/agents/context/context-text.ts'
import { KotefError } from '../../core/base/failure.ts'
import { refusalOf } from '../../core/agents/gate/denial.ts'
import { selectIntent } from '../../world/lifecycle/select-intent.ts'
import { loadIntentContext } from '../../world/provenance/intent-context.ts'
import { elsewhereText, watcherLine } from '../../core/report/claim-line.ts'
import type { VerbOutput } from '../../core/report/verb-output.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import type { HandoverRole } from '../../core/handover/port.ts'
import { roleInDispatch } from '../../core/handover/input-message.ts'
import { sessionInQuestion } from '../../world/handover/session-folder.ts'
import { agentOption } from './handover/session-option.ts'
import { textOfFile } from './text-of-file.ts'
import { firstArgument, lineOption, type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef select`: the handshake from a shell. Prints the intent's context, or the agent's JSON refusal with exit 1. */
export const run: RunVerb = async call => {
  const session = lineOption(call, 'session') ?? call.env['KOTEF_SESSION'] ?? ''
  if (session === '')
    throw new KotefError('usage', 'A selection is for one session.', {
      hint: `Name it: \`kotef select ${firstArgument(call) || 'INT-001'} --session <id of the run>\``,
    })
  return select(call, session).catch((thrown: unknown): VerbOutput => {
    const refusal = refusalOf(thrown)
    return { text: JSON.stringify(refusal), json: refusal, exit: 1 }
  })
}

// The role of a message to an agent, or that of the flags.
async function roleOption(call: VerbCall, workspace: Workspace): Promise<HandoverRole | null> {
  const dispatch = textOption(call, 'dispatch')
  if (dispatch !== null) return roleInDispatch(textOfFile(dispatch))
  const role = agentOption(call, 'role')
  return role && { role, session: await sessionInQuestion(workspace, lineOption(call, 'handover'), '--handover ') }
}

async function select(call: VerbCall, session: string): Promise<VerbOutput> {
  const workspace = await openWorkspace(call.cwd)
  const intent = firstArgument(call)
  const agent = lineOption(call, 'agent') ?? 'generic'
  const handover = await roleOption(call, workspace)
  const selection = { session, intent, agent, model: lineOption(call, 'model'), pid: null, handover }
  const { session: opened, resumed, overlaps, drift, elsewhere, watcher } = await selectIntent(workspace, selection)
  const now = workspace.clock.now()
  for (const it of elsewhere) call.notify(`${intent} is also held in ${elsewhereText(it, now)}`)
  if (watcher !== null) call.notify(watcherLine(watcher))
  const facts = await loadIntentContext(workspace, intent, opened)
  const selected = { session, resumed, overlaps, drift, elsewhere, watcher }
  const json = { status: 'success', intent, ...selected, context: contextObject(facts) }
  return { text: contextText(facts, 'xml'), json: { ...json, ...(handover ? { handover } : {}) } }
}
