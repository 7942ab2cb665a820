import type { SafeText } from '../outgoing/safe-text.ts'
import type { AgentRun } from './agent-run.ts'
import { inline, lastLines } from './run-report.ts'
import type { RunEnd } from './run-state.ts'

/** The entry of `.sdd/issues.md` about a run that was stopped: the loop or constraint, and what the run did last. */
export function snitchEntry({ terms, state }: AgentRun, { end, report, shown = [] }: SnitchFacts): string {
  const edge = Object.entries(state.edges).sort(([, a], [, b]) => b.sinceProgress - a.sinceProgress)[0]
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Intent', terms.intent],
    ['Session', terms.session],
    [end.status === 'aborted_constraint' ? 'Constraint' : 'Loop', `${end.rule}: ${end.evidence}`],
    ['Last reason', edge?.[1].reasons.at(-1)],
  ]
  const lines = facts.flatMap(([name, value]) => (value == null ? [] : [`- ${name}: ${inline(value)}`]))
  const more = shown.map(([name, value]) => `- ${name}: ${inline(value)}`)
  const all = [...lines, ...lastLines(state), ...more, `- Report: ${inline(report)}`]
  return `## ${new Date(end.at).toISOString()} ${end.status}\n\n${all.join('\n')}\n`
}

type SnitchFacts = {
  readonly end: RunEnd
  readonly report: string
  /** What the config makes public of the last calls. */
  readonly shown?: readonly (readonly [name: string, value: SafeText])[]
}
