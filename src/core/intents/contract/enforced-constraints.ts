import { printable } from '../../base/printable.ts'
import { forbidsBehaviourChange } from '../intent.ts'
import { type ConstraintLine, constraintLines } from './constraint-lines.ts'
import { type ConstraintRule, ruleOfConstraint } from './constraints.ts'
import { forbiddenGlob } from './forbidden-items.ts'

/** A constraint that an agent's hook, a commit and `verify` refuse to break, as plain JSON. */
export type EnforcedConstraint = {
  /** The intent, or the file, in which it is. */
  readonly by: string
  /** The line, as it is written there. */
  readonly says: string
  readonly rule: EnforcedRule
}

type EnforcedRule = Extract<ConstraintRule, { kind: 'paths' | 'commands' | 'no-new-dependencies' }>

/** The rule of a constraint of the registry; null for advice. */
export function ruleOfText(text: string): ConstraintRule | null {
  if (forbidsBehaviourChange(text)) return { kind: 'no-behaviour-change' }
  const [line] = constraintLines(text)
  return line?.line === 1 ? ruleOfConstraint(line) : null
}

/** The enforced ones among the constraints of an intent. */
export function constraintsOfIntent(id: string, constraints: readonly string[]): EnforcedConstraint[] {
  return constraints.flatMap(says => enforced({ by: id, says, rule: ruleOfText(says) }))
}

/** The enforced ones among the constraint lines of a Markdown file, which hold for every intent. */
export function constraintsOfFile(file: string, markdown: string): EnforcedConstraint[] {
  const enforcedLine = (it: ConstraintLine) => enforced({ by: file, says: it.text, rule: ruleOfConstraint(it) })
  return constraintLines(markdown).flatMap(enforcedLine)
}

type ReadConstraint = Pick<EnforcedConstraint, 'by' | 'says'> & { readonly rule: ConstraintRule | null }

// Sizes are for review, and an intent that keeps behaviour is marked as one.
function enforced({ by, says, rule }: ReadConstraint): EnforcedConstraint[] {
  if (rule?.kind === 'paths') return [{ by, says, rule: { ...rule, globs: rule.globs.map(forbiddenGlob) } }]
  return rule?.kind === 'commands' || rule?.kind === 'no-new-dependencies' ? [{ by, says, rule }] : []
}

/** What a constraint says, and where. */
export function constraintWords({ by, says }: EnforcedConstraint): string {
  return `${by} says: ${printable(says)}`
}

/** The globs that constraints close. */
export function closedGlobs(constraints: readonly EnforcedConstraint[] = []): string[] {
  return constraints.flatMap(({ rule }) => (rule.kind === 'paths' ? rule.globs : []))
}

/** True where one of some constraints forbids commands. */
export function forbidsCommands(constraints: readonly EnforcedConstraint[] = []): boolean {
  return constraints.some(it => it.rule.kind === 'commands')
}

/** The first constraint that forbids new dependencies. */
export function dependencyConstraint(constraints: readonly EnforcedConstraint[] = []): EnforcedConstraint | null {
  return constraints.find(it => it.rule.kind === 'no-new-dependencies') ?? null
}
