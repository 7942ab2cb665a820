import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  autoMerge,
  type AutoMergeComparison,
  mergeAdditions,
  type MergeAdditions,
  changedPaths,
} from '../git/merges.ts'
import { stagedChanges } from '../git/changes.ts'
import { askGitSync, type HookContext, tryAskGitSync } from './hook-context.ts'

/** What the merge that is about to be made adds to both sides; null when none is. */
export function pendingMerge(context: HookContext): MergeAdditions | null {
  const others = mergedCommits(context)
  if (others.length === 0) return null
  const [first = [], ...rest] = ['HEAD', ...others].map(it => askGitSync(stagedChanges(it)))
  const elsewhere = rest.map(changes => new Set(changes.map(it => it.path)))
  const changes = first.filter(change => elsewhere.every(it => it.has(change.path)))
  return mergeAdditions(changes, changes.length > 0 ? compareWithAutoMerge(others) : { edited: [], conflicted: [] })
}

// Git tells what it makes of two sides. Where more of them agree there was nothing to put together.
function compareWithAutoMerge(others: readonly string[]): AutoMergeComparison {
  const [other = '', ...more] = others
  const merge = more.length === 0 ? tryAskGitSync(autoMerge('HEAD', other)) : null
  if (merge) return { ...merge, edited: askGitSync(stagedChanges(merge.tree)).map(it => it.path) }
  return { conflicted: others.flatMap(it => askGitSync(changedPaths('HEAD', it))), edited: null }
}

// `rev-parse MERGE_HEAD` would know the first one only. A clean merge has no such file when it asks pre-merge-commit,
// but names the other sides in the environment.
function mergedCommits({ gitDir, hook }: HookContext): string[] {
  const file = join(gitDir, 'MERGE_HEAD')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim().split('\n')
  if (hook !== 'pre-merge-commit') return []
  const oids = Object.keys(process.env).flatMap(it => /^GITHEAD_([0-9a-f]+)$/.exec(it)?.[1] ?? [])
  // A merge in another repository may have started all this.
  return oids.filter(it => tryAskGitSync({ args: ['cat-file', '-e', `${it}^{commit}`], parse: () => true }))
}
