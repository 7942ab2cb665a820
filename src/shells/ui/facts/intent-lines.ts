import type { FileLineCounts } from '../pages/intent-facts.ts'
import type { SlowFacts } from '../pages/slow-facts.ts'
import type { AddedRange, CommitLines } from '../../../world/provenance/commit-lines.ts'
import type { SurvivingLookup } from '../../../world/provenance/surviving-ranges.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askLines } from './line-facts.ts'
import { selectLines } from './select-lines.ts'

/** The lines of an intent, and of those of each file. */
export type IntentLineCounts = {
  readonly added: number
  readonly alive: number
  readonly files: readonly FileLineCounts[]
}

/** Answers how many lines an intent has, once they are counted. */
export type LinesOfIntent = (intent: string) => IntentLineCounts

/** The lines of all intents, as far as they are known when `wait` is over; null waits for all of them. */
export async function askIntentLines(
  workspace: Workspace,
  wait: Promise<unknown> | null,
): Promise<SlowFacts<LinesOfIntent>> {
  const { history, surviving } = await askLines(workspace, wait)
  const commits = history.value?.commits ?? null
  const { value: lookup } = surviving
  const isEmpty = commits === null && history.isCurrent
  const value = commits && lookup ? countsOfIntents(commits, lookup) : isEmpty ? () => NO_LINES : null
  const slower = history.isCurrent ? surviving : history
  return { ...slower, isCurrent: history.isCurrent && surviving.isCurrent, value }
}

const NO_LINES: IntentLineCounts = { added: 0, alive: 0, files: [] }

// A page has many intents, and the next request is about the same lines.
const known = new WeakMap<SurvivingLookup, { readonly commits: readonly CommitLines[]; readonly of: LinesOfIntent }>()

function countsOfIntents(commits: readonly CommitLines[], surviving: SurvivingLookup): LinesOfIntent {
  const before = known.get(surviving)
  if (before?.commits === commits) return before.of
  const counts = countAll(commits, surviving)
  const of: LinesOfIntent = intent => counts.get(intent) ?? NO_LINES
  known.set(surviving, { commits, of })
  return of
}

type FileCounts = Map<string, { path: string; added: number; alive: number }>

/** Counts the lines of all intents. The lists behind the numbers choose their lines by the same filter. */
function countAll(commits: readonly CommitLines[], surviving: SurvivingLookup): Map<string, IntentLineCounts> {
  const intents = new Map<string, FileCounts>()
  const count = (kind: 'added' | 'alive', path: string, { owner, lines }: AddedRange): void => {
    if (owner.intent === null) return
    const files: FileCounts = intents.get(owner.intent) ?? new Map()
    const file = files.get(path) ?? { path, added: 0, alive: 0 }
    file[kind] += lines
    intents.set(owner.intent, files.set(path, file))
  }
  for (const { range } of selectLines(commits, { policy: 'no' }, null)) count('added', range.path, range)
  for (const { range } of selectLines(commits, { policy: 'no', alive: 'yes' }, surviving))
    count('alive', 'headPath' in range ? range.headPath : range.path, range)
  return new Map([...intents].map(([intent, files]) => [intent, countedLines(files)]))
}

function countedLines(counts: FileCounts): IntentLineCounts {
  const files = [...counts.values()].sort((one, other) => other.alive - one.alive || other.added - one.added)
  return { added: sum(files, 'added'), alive: sum(files, 'alive'), files }
}

function sum(files: readonly FileLineCounts[], kind: 'added' | 'alive'): number {
  return files.reduce((all, it) => all + it[kind], 0)
}
