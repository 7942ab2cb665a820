import type { Tool } from '@modelcontextprotocol/server'
import { HANDOVER_AGENTS } from '../../core/handover/agents.ts'
import { TASK_STATUSES } from '../../core/handover/tasks-file.ts'
import { WORKFLOW_STATES } from '../../core/handover/workflow.ts'

const text = (description: string) => ({ type: 'string', description })
const SESSION = { session: text('The session in .agents-work/; by default the only one that is open.') }

type Fields = Readonly<Record<string, object>>

function tool(
  name: string,
  description: string,
  { fields, required = [] }: { fields: Fields; required?: string[] },
): Tool {
  const inputSchema = {
    type: 'object',
    properties: { ...SESSION, ...fields },
    required,
    additionalProperties: false,
  } as const
  return { name, description, inputSchema }
}

const AGENT = { type: 'string', enum: [...HANDOVER_AGENTS] }

/** The tools for sessions in which agents hand over; they are listed where there is a folder for sessions. */
export const HANDOVER_TOOLS: readonly Tool[] = [
  tool('handover_status', 'Shows a session: state, tasks with open gates, questions, retries, and every problem.', {
    fields: {},
  }),
  tool('handover_new', 'Begins a session.', {
    fields: {
      word: text('Such as refunds.'),
      lean: { type: 'boolean', description: 'Without design, plan and release.' },
    },
    required: ['word'],
  }),
  tool('handover_ask', 'Asks the user questions, or the question of a gate. Call it before you ask the user.', {
    fields: {
      questions: { type: 'array', items: { type: 'string' } },
      gate: { type: 'string', enum: ['design', 'strategy'] },
      security: { type: 'boolean', description: 'True when only the user may end the questions.' },
      criterion: text('The acceptance criterion that the question is about.'),
    },
  }),
  tool('handover_answer', 'Writes what the user answered, by the ids of the questions; null stands for none.', {
    fields: { answers: { type: 'object', description: 'Such as {"UD-1": "EUR"}.' } },
    required: ['answers'],
  }),
  tool('handover_end_question', 'Ends a question without an answer, for a reason.', {
    fields: {
      id: text('Such as UD-1.'),
      how: { type: 'string', enum: ['cancelled', 'skipped'] },
      reason: text('Why.'),
    },
    required: ['id', 'how', 'reason'],
  }),
  tool('handover_advance', 'Moves the session to another state, if everything that this needs is there.', {
    fields: {
      state: { type: 'string', enum: [...WORKFLOW_STATES] },
      task: text('The task that a FIX loop is for.'),
      agent: AGENT,
      reason: text('What blocks the session.'),
    },
    required: ['state'],
  }),
  tool('handover_task', 'Sets the status of a task.', {
    fields: { id: text('Such as T-001.'), status: { type: 'string', enum: [...TASK_STATUSES] }, role: AGENT },
    required: ['id', 'status'],
  }),
  tool('handover_submit', "Checks an agent's answer and keeps it in the session.", {
    fields: { role: AGENT, task: text('Such as T-001, or meta.'), answer: { type: 'object' } },
    required: ['role', 'answer'],
  }),
]
