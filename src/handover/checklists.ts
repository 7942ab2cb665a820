import type { HandoverAgent } from './agents.ts'

export const PROJECT_TYPES = ['web', 'api', 'cli', 'lib', 'mixed'] as const

export type ProjectType = (typeof PROJECT_TYPES)[number]

const ALL: readonly ProjectType[] = PROJECT_TYPES
const NETWORKED: readonly ProjectType[] = ['web', 'api', 'mixed']
const PAGES: readonly ProjectType[] = ['web', 'mixed']

/** What a check is about, and the types of project for which it applies. */
const CHECKLIST: readonly (readonly [item: string, types: readonly ProjectType[]])[] = [
  ['input-validation', ALL],
  ['secrets', ALL],
  ['dependency-hygiene', ALL],
  ['auth', NETWORKED],
  ['rate-limiting', NETWORKED],
  ['sql-injection', NETWORKED],
  ['csrf', NETWORKED],
  ['tenant-scoping', NETWORKED],
  ['xss', PAGES],
  ['templates', PAGES],
  ['ui', PAGES],
  ['privilege-escalation', ['cli', 'web', 'api', 'mixed']],
  ['api-safety', ['lib', 'api', 'mixed']],
]

/** The agents that work through the checklist. */
export const CHECKLIST_AGENTS: readonly HandoverAgent[] = ['Reviewer', 'QA', 'Security']

/** The items of the checklist for a type of project. */
export function checklistFor(type: ProjectType): string[] {
  return CHECKLIST.filter(([, types]) => types.includes(type)).map(([item]) => item)
}

/** True for an item that exists, and does not apply to a type of project. */
export function isSkippedItem(item: string, type: ProjectType): boolean {
  const key = item
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return CHECKLIST.some(([name, types]) => name === key && !types.includes(type))
}
