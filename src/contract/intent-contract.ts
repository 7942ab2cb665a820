import { forbiddenPaths } from './forbidden-paths.ts'
import { type Criterion, forbidsBehaviourChange, type Intent } from '../intents/intent.ts'
import { type ConstraintRule, isConstraint, ruleOfConstraint } from './constraints.ts'
import { type Statement, statementsOf } from './statements.ts'

/** Where a part of a contract is from. */
export type ContractSource = { readonly file: string; readonly line: number | null }

/** A part of a contract: its text, and where it stands. */
export type ContractLine = { readonly text: string; readonly source: ContractSource }

export type ContractConstraint = ContractLine & {
  /** What a machine checks of it; null for advice. */
  readonly rule: ConstraintRule | null
}

export type ContractCheck = ContractLine & {
  /** A command that must exit with 0; null for what a person attests. */
  readonly command: string | null
}

/** What a run works for and is measured by, in one place, from the intent, a ticket and KOTEF.md. */
export type IntentContract = {
  readonly intent: string
  readonly goal: string
  readonly ticketId: string | null
  readonly appetite: 'Small' | 'Batch' | 'Big'
  readonly nonGoals: readonly ContractLine[]
  readonly constraints: readonly ContractConstraint[]
  readonly dodChecks: readonly ContractCheck[]
  readonly forbiddenPaths: readonly ContractLine[]
}

/** A Markdown file. */
type ContractDocument = { readonly file: string; readonly text: string }

export type ContractInput = {
  readonly intent: Intent
  readonly registry: string
  readonly ticket: ContractDocument | null
  readonly policy: ContractDocument | null
}

/** Builds the contract of an intent. Lines that only a person can judge stay as they are written. */
export function buildIntentContract({ intent, registry, ticket, policy }: ContractInput): IntentContract {
  const declared = { file: registry, line: null }
  const ofTicket = ticket === null ? [] : statementsOf(ticket.text)
  const title = ticket === null ? null : ticketTitle(ticket.text)
  const placed = (file: string) => (it: Statement) => ({ text: it.text, source: { file, line: it.line } })
  const documents = [ticket, policy].filter(it => it !== null)
  return {
    intent: intent.id,
    goal: title?.goal ?? [intent.name, intent.description].filter(Boolean).join(': '),
    ticketId: title?.id ?? null,
    appetite: intent.appetite,
    nonGoals: [
      ...intent.non_goals.map(text => ({ text, source: declared })),
      ...ofTicket.filter(it => NON_GOALS.test(it.section ?? '')).map(placed(ticket?.file ?? '')),
    ],
    constraints: [...intentConstraints(intent, registry), ...documents.flatMap(documentConstraints)],
    dodChecks: [
      ...intent.acceptance_criteria.map(it => criterionCheck(it, declared)),
      ...ofTicket
        .filter(it => DONE.test(it.section ?? '') && it.task !== null)
        .map(it => ({ ...placed(ticket?.file ?? '')(it), command: commandOf(it) })),
    ],
    forbiddenPaths: forbiddenPaths(policy?.text ?? '').map(text => ({
      text,
      source: { file: policy?.file ?? '', line: null },
    })),
  }
}

const NON_GOALS = /^(?:\d+[.)]?\s*)?(?:non-?\s?goals?|out of scope|not in scope)\b/i
const DONE = /\b(?:definition of done|DoD|acceptance criteria)\b/i

/** The constraints of an intent, which is in the file `registry`. */
export function intentConstraints({ constraints }: Intent, registry: string): ContractConstraint[] {
  const source = { file: registry, line: null }
  return constraints.map(text =>
    forbidsBehaviourChange(text)
      ? { text, source, rule: { kind: 'no-behaviour-change' } }
      : constraint(statementsOf(text)[0] ?? { text, code: [] }, source, text),
  )
}

/** The constraint lines of a ticket or of KOTEF.md. */
export function documentConstraints({ file, text }: ContractDocument): ContractConstraint[] {
  const lines = statementsOf(text).filter(it => isConstraint(it.text))
  return lines.map(it => constraint(it, { file, line: it.line }, it.text))
}

function constraint(
  statement: Pick<Statement, 'text' | 'code'>,
  source: ContractSource,
  text: string,
): ContractConstraint {
  return { text, source, rule: isConstraint(statement.text) ? ruleOfConstraint(statement) : null }
}

function criterionCheck(criterion: Criterion, source: ContractSource): ContractCheck {
  return typeof criterion !== 'string'
    ? { text: criterion.cmd, source, command: criterion.cmd }
    : { text: criterion, source, command: null }
}

// An item that is a command in backticks, perhaps with "passes" behind it, is a check; any other is attested.
function commandOf({ text, code: [command, ...others] }: Statement): string | null {
  const isCommand = /^`[^`]+`(?:\s+(?:passes|succeeds|is green|exits with 0|works))?[.!]?$/i.test(text)
  return command !== undefined && others.length === 0 && isCommand ? command : null
}

// `# Ticket: 01 Intent contract`, or any first heading.
function ticketTitle(markdown: string): { readonly id: string | null; readonly goal: string } | null {
  const [, heading] = /^\uFEFF?#\s+(.+?)\s*#*\s*$/m.exec(markdown) ?? []
  if (heading === undefined) return null
  const [, id, goal] = /^(?:ticket|task|issue|story)\s*:?\s*#?([\w-]*\d[\w-]*)\s*[:.-]?\s*(.+)$/i.exec(heading) ?? []
  return id && goal ? { id, goal } : { id: null, goal: heading }
}
