import * as z from 'zod'
import type { Problem } from '../base/finding.ts'
import { readYaml } from '../base/read-yaml.ts'
import { acceptanceCheck, filledText, oneOf, RISK_FLAGS, taskId, textList } from './schema-parts.ts'

export const TASK_STATUSES = ['not-started', 'in-progress', 'implemented', 'completed', 'blocked'] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]

/** The content of tasks.yaml. Keys that the contract does not know are kept. */
export type TasksFile = z.output<typeof tasksFile>

export type HandoverTask = TasksFile['tasks'][number]

/** Reads the text of a tasks.yaml, with all problems. Never throws. */
export function readTasks(
  file: string,
  text: string,
): { readonly value: TasksFile | null; readonly problems: readonly Problem[] } {
  const { value, problems, lineAt } = readYaml(file, text, tasksFile)
  if (value === null) return { value, problems }
  const { tasks } = value
  const ids = tasks.map(it => it.id)
  const ofList = tasks.flatMap(({ id, depends_on = [] }, n) => {
    const line = lineAt(['tasks', n])
    const twice = ids.indexOf(id) < n ? [{ file, line, expected: 'each task once', found: `a second ${id}` }] : []
    const unknown = depends_on.filter(it => !ids.includes(it))
    return [...twice, ...unknown.map(it => ({ file, line, expected: `the id of a task in depends_on`, found: it }))]
  })
  const cycle = dependencyCycle(tasks)
  const circular = cycle === null ? [] : [{ file, line: null, expected: 'tasks that can be ordered', found: cycle }]
  return { value: ofList.length + circular.length === 0 ? value : null, problems: [...ofList, ...circular] }
}

// Removes tasks that wait for none that is left; what remains waits in a circle.
function dependencyCycle(tasks: readonly HandoverTask[]): string | null {
  let left = [...tasks]
  for (let before = -1; before !== left.length;) {
    before = left.length
    const ids = new Set(left.map(it => it.id))
    left = left.filter(it => (it.depends_on ?? []).some(id => ids.has(id)))
  }
  return left.length === 0 ? null : `${left.map(it => it.id).join(', ')} wait for each other`
}

const task = z.looseObject(
  {
    id: taskId,
    status: oneOf(TASK_STATUSES),
    goal: filledText,
    acceptance_checks: z.array(acceptanceCheck, { error: 'a list of checks' }).min(1, { error: 'at least one check' }),
    title: z.string({ error: 'a text' }).optional(),
    type: oneOf(['feat', 'fix', 'refactor', 'chore', 'test', 'docs']).optional(),
    depends_on: z.array(taskId, { error: 'a list of ids' }).optional(),
    non_goals: textList.optional(),
    context_files: textList.optional(),
    files_expected: textList.optional(),
    risk_flags: z.array(oneOf(RISK_FLAGS), { error: 'a list of flags' }).optional(),
    done_when: textList.optional(),
  },
  { error: 'a task' },
)

const tasksFile = z.looseObject(
  { tasks: z.array(task, { error: 'a list of tasks' }).min(1, { error: 'at least one task' }) },
  { error: 'a map with `tasks`' },
)
