import type { ContractLine, IntentContract } from '../intents/contract/intent-contract.ts'
import type { ConstraintRule } from '../intents/contract/constraints.ts'
import { plural, printable } from '../base/printable.ts'

/** A contract for a person: what is wanted, what is forbidden, and how it is measured, each with its source. */
export function contractLines(contract: IntentContract): string[] {
  const { intent, goal, ticketId, appetite, nonGoals, constraints, dodChecks, forbiddenPaths } = contract
  return [
    `${intent}: ${oneLine(goal)}`,
    ...(ticketId === null ? [] : [`ticket ${ticketId}`]),
    `appetite ${appetite}`,
    ...section(
      'constraints',
      constraints,
      it => `${oneLine(it.text)}  [${it.rule ? constraintRuleWords(it.rule) : 'advice'}]`,
    ),
    ...section('done when', dodChecks, it => {
      if (it.command !== null && it.isRun) return it.command
      const why = it.command === null ? '' : ': the intent has no such check'
      return `${oneLine(it.text)}  [a person attests it${why}]`
    }),
    ...section('forbidden paths', forbiddenPaths, it => printable(it.text)),
    ...section('non-goals', nonGoals, it => oneLine(it.text)),
  ]
}

function section<T extends ContractLine>(title: string, lines: readonly T[], words: (it: T) => string): string[] {
  const rows = lines.map(it => `  - ${words(it)}  (${placeOf(it)})`)
  return lines.length === 0 ? [] : [title, ...rows]
}

function placeOf({ source: { file, line } }: ContractLine): string {
  return line === null ? printable(file) : `${printable(file)}:${line}`
}

/** What a machine checks of a constraint, in words. */
export function constraintRuleWords(rule: ConstraintRule): string {
  if (rule.kind === 'paths') return `checked: writes to ${rule.globs.join(', ')}`
  if (rule.kind === 'commands') return `checked: runs of ${rule.commands.join(', ')}`
  if (rule.kind === 'files-max') return `checked: at most ${plural(rule.count, 'file')}`
  if (rule.kind === 'lines-max') return `checked: at most ${plural(rule.count, 'line')}`
  if (rule.kind === 'no-behaviour-change') return 'checked: each change is layout or a refactoring'
  return 'checked: no new dependency'
}

function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim())
}
