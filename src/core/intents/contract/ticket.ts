import type { Intent } from '../intent.ts'
import { type Statement, statementsOf } from './statements.ts'

/** A Markdown file. */
export type ContractDocument = { readonly file: string; readonly text: string }

/** The ticket of an intent: the first of its related specs of the type `ticket` that is a Markdown file here. */
export function ticketPath({ related_specs }: Pick<Intent, 'related_specs'>): string | null {
  const found = related_specs.find(({ type, url }) => type === 'ticket' && HERE.test(url) && !url.includes('..'))
  return found?.url ?? null
}

const HERE = /^(?![a-z][a-z\d+.-]*:|[/~])[^\0]+\.(?:md|markdown)$/i

/** An item of a ticket's definition of done, and the command that it is; null for any other text. */
export type TicketItem = { readonly statement: Statement; readonly command: string | null }

/** The definition of done of a ticket: the tasks below headings that say so. */
export function ticketItems(ticket: string): TicketItem[] {
  const items = statementsOf(ticket).filter(it => DONE.test(it.section ?? '') && it.task !== null)
  return items.map(statement => ({ statement, command: commandOf(statement) }))
}

const DONE = /\b(?:definition of done|DoD|acceptance criteria)\b/i

// An item that is a command in backticks, perhaps with "passes" behind it, is a check; any other is attested.
function commandOf({ text, code: [command, ...others] }: Statement): string | null {
  const isCommand = /^`[^`]+`(?:\s+(?:passes|succeeds|is green|exits with 0|works))?[.!]?$/i.test(text)
  return command !== undefined && others.length === 0 && isCommand ? command : null
}

/** True for a command that the registry has as a criterion: only that one is run, and never a ticket's text. */
export function isCriterion({ acceptance_criteria }: Pick<Intent, 'acceptance_criteria'>, command: string): boolean {
  return acceptance_criteria.some(it => typeof it !== 'string' && it.cmd === command)
}

/**
 * An intent with the definition of done of its ticket among its criteria. A person attests each item, but those that
 * are a command of the registry's.
 */
export function withTicketCriteria(intent: Intent, ticket: string | null): Intent {
  const items = ticket === null ? [] : ticketItems(ticket)
  const open = items.filter(it => it.command === null || !isCriterion(intent, it.command)).map(it => it.statement.text)
  const more = [...new Set(open)].filter(it => !intent.acceptance_criteria.includes(it))
  return more.length === 0 ? intent : { ...intent, acceptance_criteria: [...intent.acceptance_criteria, ...more] }
}
