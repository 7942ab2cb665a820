import type { HandoverAgent, MessageStatus } from './agents.ts'
import type { HandoverTask } from './tasks-file.ts'
import type { WorkflowMode } from './workflow.ts'

/** The answers that agents submitted for a task, by agent. */
export type TaskAnswers = ReadonlyMap<HandoverAgent, MessageStatus>

// The agents whose OK a task needs before it is completed.
function gatesOf({ risk_flags = [] }: Pick<HandoverTask, 'risk_flags'>, mode: WorkflowMode): HandoverAgent[] {
  const always: HandoverAgent[] = mode === 'lean' ? ['Reviewer'] : ['Reviewer', 'QA']
  return risk_flags.includes('security') ? [...always, 'Security'] : always
}

/** The gates of a task that have not passed, each with what was submitted. */
export function openGates(task: HandoverTask, answers: TaskAnswers, mode: WorkflowMode): string[] {
  return gatesOf(task, mode)
    .filter(it => answers.get(it) !== 'OK')
    .map(it => `${it}: ${answers.get(it) ?? 'nothing submitted'}`)
}
