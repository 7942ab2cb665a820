import type { FileLineCounts } from '../page/intent-facts.ts'
import type { SlowFacts } from '../page/slow-facts.ts'
import type { CommitLines } from '../provenance/commit-lines.ts'
import type { SurvivingLookup } from '../provenance/surviving-ranges.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { askLines } from './line-facts.ts'
import { selectLines } from './select-lines.ts'

/** The lines of an intent, and of those of each file. */
export type CountedLines = { readonly added: number; readonly alive: number; readonly files: readonly FileLineCounts[] }

/** Answers how many lines an intent has, once they are counted. */
export type LinesOfIntent = (intent: string) => CountedLines

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

const NO_LINES: CountedLines = { added: 0, alive: 0, files: [] }

function countsOfIntents(commits: readonly CommitLines[], surviving: SurvivingLookup): LinesOfIntent {
  return intent => {
    const files = new Map<string, { path: string; added: number; alive: number }>()
    const count = (path: string, kind: 'added' | 'alive', lines: number): void => {
      const file = files.get(path) ?? { path, added: 0, alive: 0 }
      file[kind] += lines
      files.set(path, file)
    }
    // As in the lists behind the numbers: the same filter chooses the lines.
    for (const { range } of selectLines(commits, { intent, policy: 'no' }, null))
      count(range.path, 'added', range.lines)
    for (const { range } of selectLines(commits, { intent, policy: 'no', alive: 'yes' }, surviving))
      count('headPath' in range ? range.headPath : range.path, 'alive', range.lines)
    const counted = [...files.values()].sort((one, other) => other.alive - one.alive || other.added - one.added)
    return { added: sum(counted, 'added'), alive: sum(counted, 'alive'), files: counted }
  }
}

function sum(files: readonly FileLineCounts[], kind: 'added' | 'alive'): number {
  return files.reduce((all, it) => all + it[kind], 0)
}
