import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InheritedWork } from '../rules/commit-facts.ts'
import { referencedCommits } from '../trailers/referenced-commits.ts'
import { askYamlHelper } from './ask-yaml-helper.ts'
import { commitsInProgress, type HookContext } from './hook-context.ts'

/** The work of the commits that this one is made from: picked, reverted or squashed ones. */
export function inheritedWork(context: HookContext, message = ''): InheritedWork[] {
  const prepared = ['MERGE_MSG', 'SQUASH_MSG'].map(it => readIfExists(join(context.gitDir, it)))
  const sources = new Set([
    ...commitsInProgress(context),
    ...[message, ...prepared].flatMap(it => referencedCommits(it)),
  ])
  if (sources.size === 0) return []
  return askYamlHelper<{ works: InheritedWork[] }>(context, ['inherited', ...sources]).works
}

function readIfExists(path: string): string {
  return existsSync(path) ? readFileSync(path, 'latin1') : ''
}
