import { KotefError } from '../../../core/base/failure.ts'
import { TASK_STATUSES, type TaskStatus } from '../../../core/handover/tasks-file.ts'
import { WORKFLOW_STATES, type WorkflowState } from '../../../core/handover/workflow.ts'
import { advanceInSession, setTaskInSession } from '../../../world/handover/operations.ts'
import { printable } from '../../../core/base/printable.ts'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { firstArgument, lineOption, type RunVerb } from '../verb.ts'
import { agentOption, sessionOption } from './session-option.ts'

/** `kotef handover advance`: moves a session to another state. On the way to DONE the acceptance checks run. */
export const advanceState: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionOption(call, workspace)
  const to = oneOfWords<WorkflowState>(firstArgument(call), WORKFLOW_STATES, 'state')
  const terms = {
    task: lineOption(call, 'task'),
    agent: agentOption(call, 'agent'),
    reason: lineOption(call, 'reason'),
  }
  const run = { env: call.env, running: (command: string) => call.notify(`$ ${printable(command)}`) }
  const { status } = await advanceInSession(workspace, session, { to, run, ...terms })
  return { text: `${session} is in ${status?.current_state}.`, json: { session, state: status?.current_state } }
}

/** `kotef handover task`: sets the status of a task. */
export const setTask: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const session = await sessionOption(call, workspace)
  const [id = '', word = ''] = call.args.map(String)
  const to = oneOfWords<TaskStatus>(word, TASK_STATUSES, 'status')
  await setTaskInSession(workspace, session, { id, to, role: agentOption(call, 'role') })
  return { text: `${id} is ${to}.`, json: { session, task: id, status: to } }
}

function oneOfWords<T extends string>(word: string, words: readonly T[], what: string): T {
  const found = words.find(it => it === word)
  if (found !== undefined) return found
  throw new KotefError('usage', `${printable(word)} is not a ${what}: ${words.join(', ')}`)
}
