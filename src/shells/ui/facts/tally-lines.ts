import { intentName } from '../../../core/authorship/line-intent.ts'
import { MUTATION_CLASSES } from '../../../core/ledger/mutation-class.ts'
import { isPolicyFile } from '../../../core/base/governance-files.ts'
import type { LineQuery } from '../pages/links.ts'
import { type Period, periodsBetween } from '../pages/periods.ts'
import type { LineFacts, LineTally, NamedTally } from '../pages/stats-facts.ts'
import type { CommitLines } from '../../../world/provenance/commit-lines.ts'
import type { AddedLineHistory } from '../../../world/provenance/line-history.ts'
import type { SurvivingLookup } from '../../../world/provenance/surviving-ranges.ts'
import { commitTest, type SelectedRange, selectLines } from './select-lines.ts'

/** Counts the lines of a history by everything that the page of statistics shows. */
export function tallyLines(
  { commits, older, governance }: AddedLineHistory,
  surviving: SurvivingLookup | null,
  query: LineQuery,
): LineFacts {
  const added = selectLines(commits, query, null)
  const alive = surviving && selectLines(commits, { ...query, alive: 'yes' }, surviving)
  const by = (nameOf: NameOf): NamedTally[] => namedTallies(added, alive, nameOf)
  const isAgents = ({ range }: SelectedRange) => range.owner.type === 'ai'
  const counted = countedCommits(commits, added, query)
  const isSince = commitTest(query)
  const dated = (it: AddedLineHistory['older']) => it.filter(one => isSince({ ...NO_LINES, ...one, at: timeOf(one) }))
  return {
    commits: counted.length,
    older: dated(older).length,
    governance: dated(governance).length,
    total: tallyOf(added, alive),
    intents: by(it => intentName(it.range.owner)),
    models: namedTallies(added.filter(isAgents), alive && alive.filter(isAgents), it => it.range.owner.model),
    people: by(it => it.commit.author),
    periods: periodTallies(added, alive),
    classes: classCounts(counted),
  }
}

const NO_LINES = { isNoted: false, ranges: [], classes: new Map<string, never>() }

function timeOf({ committed }: { readonly committed: string }): number {
  return Date.parse(committed)
}

/** The commits that a filter is about: with an intent, those that added lines for it. */
export function countedCommits(
  commits: readonly CommitLines[],
  added: readonly SelectedRange[],
  query: LineQuery,
): readonly CommitLines[] {
  if (query.intent === undefined) return commits.filter(commitTest(query))
  const withLines = new Set(added.map(it => it.commit))
  return commits.filter(it => withLines.has(it))
}

type NameOf = (selected: SelectedRange) => string | null

/** A tally for each name, the largest first; the lines without a name are the last. */
function namedTallies(
  added: readonly SelectedRange[],
  alive: readonly SelectedRange[] | null,
  nameOf: NameOf,
): NamedTally[] {
  const addedBy = grouped(added, nameOf)
  const aliveBy = alive && grouped(alive, nameOf)
  return [...addedBy]
    .map(([name, own]) => ({ name, ...tallyOf(own, aliveBy && (aliveBy.get(name) ?? [])) }))
    .sort(
      (a, b) =>
        Number(a.name === null) - Number(b.name === null) || b.lines - a.lines || (`${a.name}` < `${b.name}` ? -1 : 1),
    )
}

function periodTallies(added: readonly SelectedRange[], alive: readonly SelectedRange[] | null) {
  const periods = periodsOf(added.map(it => it.commit.at))
  const indexOf = (it: SelectedRange) => periodIndex(periods, it.commit.at)
  const addedBy = grouped(added, indexOf)
  const aliveBy = alive && grouped(alive, indexOf)
  return periods.map((period, n) => ({
    period,
    ...tallyOf(addedBy.get(n) ?? [], aliveBy && (aliveBy.get(n) ?? [])),
  }))
}

/** The periods from the first of some moments to the last. */
export function periodsOf(moments: readonly number[]): readonly Period[] {
  if (moments.length === 0) return []
  const [first, last] = moments.reduce(([low, high], it) => [Math.min(low, it), Math.max(high, it)], [Infinity, 0])
  return periodsBetween(first, last)
}

/** The period that has a moment. */
export function periodIndex(periods: readonly Period[], at: number): number {
  let low = 0
  let high = periods.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((periods[middle]?.from ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

function grouped<K>(ranges: readonly SelectedRange[], keyOf: (it: SelectedRange) => K): Map<K, SelectedRange[]> {
  const groups = new Map<K, SelectedRange[]>()
  for (const it of ranges) {
    const group = groups.get(keyOf(it))
    if (group) group.push(it)
    else groups.set(keyOf(it), [it])
  }
  return groups
}

function tallyOf(added: readonly SelectedRange[], alive: readonly SelectedRange[] | null): LineTally {
  const sums = { lines: 0, ai: 0, human: 0, mixed: 0, unknown: 0, kotef: 0 }
  for (const { range } of added) {
    sums.lines += range.lines
    sums[range.owner.type] += range.lines
  }
  return { ...sums, alive: alive && alive.reduce((sum, it) => sum + it.range.lines, 0) }
}

// As for `kotef stats`: the policy's files are no work.
function classCounts(commits: readonly CommitLines[]): LineFacts['classes'] {
  const counts = new Map<string, number>()
  for (const { classes } of commits)
    for (const [path, { mutation_class: name }] of classes)
      if (!isPolicyFile(path)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return MUTATION_CLASSES.flatMap(name => {
    const changes = counts.get(name)
    return changes === undefined ? [] : [{ name, changes }]
  })
}
