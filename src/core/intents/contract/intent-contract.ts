import { forbiddenPaths } from './forbidden-paths.ts'
import { type Criterion, type Intent } from '../intent.ts'
import { constraintLines } from './constraint-lines.ts'
import { type ConstraintRule, ruleOfConstraint } from './constraints.ts'
import { ruleOfText } from './enforced-constraints.ts'
import { type Statement, statementsOf } from './statements.ts'
import { type ContractDocument, isCriterion, ticketItems } from './ticket.ts'

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
  /** True where kotef runs it: the registry has it. A ticket's commands are attested. */
  readonly isRun: boolean
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
  return {
    intent: intent.id,
    goal: title?.goal ?? [intent.name, intent.description].filter(Boolean).join(': '),
    ticketId: title?.id ?? null,
    appetite: intent.appetite,
    nonGoals: [
      ...intent.non_goals.map(text => ({ text, source: declared })),
      ...ofTicket.filter(it => NON_GOALS.test(it.section ?? '')).map(placed(ticket?.file ?? '')),
    ],
    constraints: [
      ...intentConstraints(intent, registry),
      // A ticket is not a file of the policy: nothing enforces its lines.
      ...(ticket ? documentConstraints(ticket).map(it => ({ ...it, rule: null })) : []),
      ...(policy ? documentConstraints(policy) : []),
    ],
    dodChecks: [
      ...intent.acceptance_criteria.map(it => criterionCheck(it, declared)),
      ...ticketItems(ticket?.text ?? '').map(({ statement, command }) => ({
        ...placed(ticket?.file ?? '')(statement),
        command,
        isRun: command !== null && isCriterion(intent, command),
      })),
    ],
    forbiddenPaths: forbiddenPaths(policy?.text ?? '').map(text => ({
      text,
      source: { file: policy?.file ?? '', line: null },
    })),
  }
}

const NON_GOALS = /^(?:\d+[.)]?\s*)?(?:non-?\s?goals?|out of scope|not in scope)\b/i

/** The constraints of an intent, which is in the file `registry`. */
export function intentConstraints({ constraints }: Intent, registry: string): ContractConstraint[] {
  const source = { file: registry, line: null }
  return constraints.map(text => ({ text, source, rule: ruleOfText(text) }))
}

/** The constraint lines of a ticket or of KOTEF.md. */
export function documentConstraints({ file, text }: ContractDocument): ContractConstraint[] {
  return constraintLines(text).map(it => ({
    text: it.text,
    source: { file, line: it.line },
    rule: ruleOfConstraint(it),
  }))
}

function criterionCheck(criterion: Criterion, source: ContractSource): ContractCheck {
  return typeof criterion !== 'string'
    ? { text: criterion.cmd, source, command: criterion.cmd, isRun: true }
    : { text: criterion, source, command: null, isRun: false }
}

// `# Ticket: 01 Intent contract`, or any first heading.
function ticketTitle(markdown: string): { readonly id: string | null; readonly goal: string } | null {
  const [, heading] = /^\uFEFF?#\s+(.+?)\s*#*\s*$/m.exec(markdown) ?? []
  if (heading === undefined) return null
  const [, id, goal] = /^(?:ticket|task|issue|story)\s*:?\s*#?([\w-]*\d[\w-]*)\s*[:.-]?\s*(.+)$/i.exec(heading) ?? []
  return id && goal ? { id, goal } : { id: null, goal: heading }
}
