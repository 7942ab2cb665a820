import type { PeriodTally } from './stats-facts.ts'

/** What the browser draws: a value of each series for each period. */
export type ChartFacts = {
  readonly title: string
  /** The labels of the periods. */
  readonly labels: readonly string[]
  readonly series: readonly ChartSeries[]
}

/** A series; `colour` is the name of a custom property of the style sheet, without its dashes. */
export type ChartSeries = { readonly label: string; readonly colour: string; readonly values: readonly number[] }

/** The lines of each period by the kind of their author. Unknown authors are a series of their own. */
export function authorChart(periods: readonly PeriodTally[]): ChartFacts {
  return {
    title: 'Lines added, by author',
    labels: periods.map(it => it.period.label),
    series: SERIES.map(([kind, label]) => ({ label, colour: `chart-${kind}`, values: periods.map(it => it[kind]) })),
  }
}

const SERIES = [
  ['ai', 'agent'],
  ['human', 'person'],
  ['mixed', 'both'],
  ['unknown', 'unknown author'],
  ['kotef', 'kotef itself'],
] as const
