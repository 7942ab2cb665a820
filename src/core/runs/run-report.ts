import type { SafeText } from '../outgoing/safe-text.ts'
import { plural, printable } from '../base/printable.ts'
import type { Profile } from './limits.ts'
import { type RunCounters, runCounters } from './run-counters.ts'
import type { Call, RunState, TerminalStatus } from './run-state.ts'

/** What a report says beside the state. Times are milliseconds since 1970. */
export type ReportFacts = {
  readonly profile: Profile | null
  readonly goal: string | null
  readonly startedAt: number
  readonly endedAt: number
  /** Further lines of its head, such as the intent, and the files that it changed. */
  readonly about?: readonly (readonly [name: string, value: SafeText])[]
  readonly files?: readonly string[]
}

/** The report of a run as Markdown: how it ended and why, its counters, checks and timeline. */
export function runReport(state: RunState, facts: ReportFacts): string {
  const { end, checks } = state
  const sections = [
    ['# Run', [`**${end?.status ?? 'running'}**: ${whyLine(state, facts)}`, ...headLines(state, facts)]],
    ['## Counters', counterLines(state)],
    ['## Checks', checks.map(it => `- ${inline(it.id)} \`${inline(it.command)}\`: ${it.result}`)],
    ['## Files', (facts.files ?? []).slice(0, FILES_MAX).map(it => `- \`${inline(it)}\``)],
    ['## Edges', edgeLines(state)],
    ['## Timeline', state.timeline.map(it => `- step ${it.step}: ${inline(it.what)}`)],
  ] as const
  const written = sections.filter(([, lines]) => lines.length > 0)
  return `${written.map(([title, lines]) => `${title}\n\n${lines.join('\n')}`).join('\n\n')}\n`
}

const FILES_MAX = 200

const ENDS: Readonly<Record<TerminalStatus, string>> = {
  done_success: 'the definition of done is met',
  done_partial: 'what is left is in the evidence',
  aborted_stuck: 'the run did not get on within the attempts that the profile allows',
  aborted_constraint: 'a constraint was broken',
}

function whyLine({ end }: RunState, { profile }: ReportFacts): string {
  if (!end) return 'the run has not ended.'
  return `${ENDS[end.status]} (profile ${profile ?? 'default'}, rule ${end.rule}).`
}

function headLines(state: RunState, { goal, startedAt, endedAt, about = [] }: ReportFacts): string[] {
  const { end } = state
  return [
    '',
    ...(goal === null ? [] : [`- Goal: ${inline(goal)}`]),
    ...about.map(([name, value]) => `- ${name}: ${inline(value)}`),
    ...(end ? [`- Evidence: ${inline(end.evidence)}`] : []),
    ...lastLines(state),
    `- Started: ${new Date(startedAt).toISOString()}`,
    `- Duration: ${(Math.max(0, endedAt - startedAt) / 1000).toFixed(1)} s`,
  ]
}

/** What a run did last, in words. */
export function lastLines({ lastTest, sameCall }: RunState): string[] {
  const test = lastTest === null ? [] : [`- Last test: ${line(lastTest)}`]
  return sameCall === null ? test : [...test, `- Last call: ${line(sameCall)}`]
}

function line({ what, ended }: Pick<Call, 'what' | 'ended'>): string {
  return inline(`${what} (${ended})`)
}

function counterLines(state: RunState): string[] {
  const { loopCounters: _, ...counters } = runCounters(state)
  const edges = Object.entries(state.edges).map(([edge, { sinceProgress }]) => [edge, sinceProgress] as const)
  return [
    ...Object.entries(COUNTER_WORDS).map(([name, words]) => [words, counters[name as keyof typeof counters]] as const),
    ...edges.map(([edge, count]) => [`${inline(edge)}, since the last progress`, count] as const),
  ].map(([words, count]) => `- ${words}: ${count ?? 'never'}`)
}

const COUNTER_WORDS: Readonly<Record<Exclude<keyof RunCounters, 'loopCounters'>, string>> = {
  totalSteps: 'Steps',
  lastProgressAtStep: 'Last progress, at step',
  sameCall: 'Same call in a row',
  sameError: 'Same error in a row',
  editsWithoutChange: 'Edits in a row that changed nothing',
  timeouts: 'Commands in a row that ran into their time limit',
  infrastructureErrors: 'Calls in a row that failed for the network, the provider or the disk',
}

function edgeLines({ edges }: RunState): string[] {
  return Object.entries(edges).flatMap(([edge, { taken, reasons }]) => [
    `- ${inline(edge)}: ${plural(taken, 'time')}`,
    ...reasons.map(it => `  - ${inline(it)}`),
  ])
}

/** What an agent wrote, as text of one line of Markdown, whatever it contains. */
export function inline(text: string): string {
  return printable(text.replace(/\s+/g, ' ')).replace(/[`<|]/g, '\\$&').slice(0, TEXT_CHARS_MAX)
}

const TEXT_CHARS_MAX = 500
