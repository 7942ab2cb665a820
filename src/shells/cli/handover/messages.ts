import { KotefError } from '../../../core/base/failure.ts'
import { CHECKLIST_AGENTS, checklistFor, PROJECT_TYPES, type ProjectType } from '../../../core/handover/checklists.ts'
import type { HandoverProblem } from '../../../core/handover/handover-problem.ts'
import { checkInput, type InputMessage, missingContextFiles } from '../../../core/handover/input-message.ts'
import { checkOutput } from '../../../core/handover/output-message.ts'
import { blobHere, changedInSession, designSpecs, existsHere } from '../../../world/handover/message-facts.ts'
import { readSessionHere } from '../../../world/handover/session-folder.ts'
import { submitInSession } from '../../../world/handover/operations.ts'
import { handoverProblemLine } from '../../../core/handover/problem-lines.ts'
import type { VerbOutput } from '../../../core/report/verb-output.ts'
import { plural } from '../../../core/base/printable.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { textOfFile } from '../text-of-file.ts'
import { firstArgument, lineOption, type RunVerb, textOption, type VerbCall } from '../verb.ts'
import { agentOption, sessionOption } from './session-option.ts'

/** `kotef handover message`: checks what an agent is given, or what it answers. */
export const checkMessage: RunVerb = async call => {
  const given = textOption(call, 'in')
  const answered = textOption(call, 'out')
  if ((given === null) === (answered === null))
    throw new KotefError('usage', 'A message is either `--in <file>` or `--out <file>`.')
  return given === null ? checkAnswer(call, textOfFile(answered ?? '-')) : checkTask(call, textOfFile(given))
}

async function checkTask(call: VerbCall, text: string): Promise<VerbOutput> {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionOption(call, workspace)
  const { mode } = await readSessionHere(workspace, session)
  const to = agentOption(call, 'role')
  const exists = existsHere(workspace)
  const changed = to === 'Reviewer' ? await changedInSession(workspace, session) : null
  const facts = { to, mode, exists, designSpecs: await designSpecs(workspace, session), changed }
  const { message, problems } = checkInput(text, facts)
  const checklist =
    message && to && CHECKLIST_AGENTS.includes(to) ? { checklist: checklistFor(message.project_type) } : {}
  const reply = message ? blockedReply(message, missingContextFiles(message, { exists })) : {}
  return messageOutput(problems, { ...checklist, ...reply })
}

// An agent that lacks a file answers so, in the form of any answer.
function blockedReply({ task }: InputMessage, missing: readonly string[]): { reply?: object } {
  if (missing.length === 0) return {}
  const gates = { meets_definition_of_done: false, needs_review: false, needs_tests: false, security_concerns: [] }
  const next = { recommended_agent: 'Orchestrator', recommended_task_id: task.id, reason: 'A context file is missing.' }
  const summary = `Missing context files: ${missing.join(', ')}`
  return { reply: { status: 'BLOCKED', summary, artifacts: { commands_to_run: [], notes: [...missing] }, gates, next } }
}

async function checkAnswer(call: VerbCall, text: string): Promise<VerbOutput> {
  const workspace = await openWorkspace(call.cwd)
  const facts = { from: agentOption(call, 'role'), projectType: projectType(call), blobNow: blobHere(workspace) }
  return messageOutput(checkOutput(text, facts).problems, {})
}

function projectType(call: VerbCall): ProjectType | null {
  const word = lineOption(call, 'projectType')
  return PROJECT_TYPES.find(it => it === word) ?? null
}

function messageOutput(problems: readonly HandoverProblem[], more: object): VerbOutput {
  const title = problems.length === 0 ? 'The message keeps to the contract.' : `${plural(problems.length, 'problem')}.`
  const extra = Object.entries(more).map(([key, it]) => `${key}: ${JSON.stringify(it)}`)
  const lines = [title, ...problems.map(it => `  ${handoverProblemLine(it)}`), ...extra]
  return { text: lines.join('\n'), json: { problems, ...more }, exit: problems.length > 0 ? 1 : 0 }
}

/** `kotef handover submit`: checks the answer of an agent and keeps it in the session. */
export const submitMessage: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionOption(call, workspace)
  const agent = agentOption(call, 'role')
  if (agent === null) throw new KotefError('usage', 'The agent is missing.', { hint: 'Name it: `--role Coder`' })
  const task = lineOption(call, 'task') ?? 'meta'
  const text = textOfFile(firstArgument(call) || '-')
  const problems = await submitInSession(workspace, session, { agent, task, text, projectType: projectType(call) })
  if (problems.length > 0) return messageOutput(problems, {})
  return { text: `The answer of ${agent} for ${task} is kept.`, json: { session, agent, task, problems } }
}
