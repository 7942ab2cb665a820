import type { SlowFacts } from './slow-facts.ts'
import type { Period } from './periods.ts'

/** What the page of statistics is filtered by, as in its address; `problem` is what can't be understood. */
export type StatsFilter = {
  readonly since: string | null
  readonly intent: string | null
  readonly problem: string | null
}

/** Numbers of lines that commits added, by the kind of their author. */
export type LineTally = {
  readonly lines: number
  readonly ai: number
  readonly human: number
  readonly mixed: number
  /** Of nobody knows whom: they are in none of the other kinds. */
  readonly unknown: number
  /** Of the generated parts of kotef's own files. */
  readonly kotef: number
  /** How many of them HEAD still has; null while that is not known. */
  readonly alive: number | null
}

/** The tally of an intent, a model or a person; `name` is null for lines without one. */
export type NamedTally = LineTally & { readonly name: string | null }

/** The tally of a period. */
export type PeriodTally = LineTally & { readonly period: Period }

/** The lines that the commits of HEAD added. */
export type LineFacts = {
  /** The commits whose lines are counted, and those whose lines are not. */
  readonly commits: number
  readonly older: number
  readonly governance: number
  readonly total: LineTally
  readonly intents: readonly NamedTally[]
  /** Only of the lines of agents. */
  readonly models: readonly NamedTally[]
  readonly people: readonly NamedTally[]
  readonly periods: readonly PeriodTally[]
  /** How many changes of files have each class. */
  readonly classes: readonly { readonly name: string; readonly changes: number }[]
}

/** What the ledger has of broken rules, and of requests. */
export type ViolationFacts = {
  readonly violations: number
  readonly rules: readonly { readonly rule: string; readonly count: number }[]
  readonly periods: readonly { readonly period: Period; readonly count: number }[]
  readonly requested: number
  readonly granted: number
  readonly rejected: number
  /** Sessions of agents that had a call refused before they selected an intent. */
  readonly refused: number
}

/** A write that was refused before it happened. */
export type CountedRefusal = {
  readonly session: string
  readonly agent: string
  readonly path: string
  /** The code of the reason. */
  readonly code: string
}

/** The page of statistics. */
export type StatsFacts = {
  readonly filter: StatsFilter
  /** The intents that the filter offers. */
  readonly intents: readonly string[]
  readonly lines: SlowFacts<LineFacts>
  /** Of the lines that HEAD still has. */
  readonly surviving: Pick<SlowFacts<unknown>, 'isCurrent' | 'share' | 'failure'> & { readonly isKnown: boolean }
  readonly violations: SlowFacts<ViolationFacts>
  readonly refused: readonly CountedRefusal[]
}
