import type { HandoverAgent } from './agents.ts'

export const PROJECT_TYPES = ['web', 'api', 'cli', 'lib', 'mixed'] as const

export type ProjectType = (typeof PROJECT_TYPES)[number]

/** What a check is about, and the types of project for which the contract skips it: for `web` and `mixed`, nothing. */
const CHECKLIST: readonly (readonly [item: string, skippedFor: readonly ProjectType[]])[] = [
  ['input-validation', []],
  ['secrets', []],
  ['dependency-hygiene', []],
  ['auth', []],
  ['rate-limiting', []],
  ['sql-injection', []],
  ['privilege-escalation', []],
  ['api-safety', []],
  ['csrf', ['cli', 'lib']],
  ['xss', ['cli', 'lib']],
  ['tenant-scoping', ['cli', 'lib']],
  ['templates', ['api', 'cli', 'lib']],
  ['ui', ['api']],
]

/** The agents that work through the checklist. */
export const CHECKLIST_AGENTS: readonly HandoverAgent[] = ['Reviewer', 'QA', 'Security']

/** The items of the checklist for a type of project. */
export function checklistFor(type: ProjectType): string[] {
  return CHECKLIST.filter(([, skippedFor]) => !skippedFor.includes(type)).map(([item]) => item)
}

/** True for an item that the contract skips for a type of project. */
export function isSkippedItem(item: string, type: ProjectType): boolean {
  const key = item
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return CHECKLIST.some(([name, skippedFor]) => name === key && skippedFor.includes(type))
}
