import { lstatSync, readFileSync } from 'node:fs'
import { type FactSource, type Gatherer, gatherSync } from '../git/gatherer.ts'
import { gitSync } from '../io/git/git-sync.ts'
import { prefetchedAnswer } from './prefetched.ts'

/** Git, with the index that the commit is made from. */
export const { ask: askGitSync, tryAsk: tryAskGitSync } = gitSync(prefetchedAnswer)

/** Runs a gatherer in the hook's worktree, which is the current folder. */
export function gatherHere<T>(gatherer: Gatherer<T>): T {
  return gatherSync(SYNC_SOURCE, gatherer)
}

const SYNC_SOURCE: FactSource = {
  ask: askGitSync,
  tryAsk: tryAskGitSync,
  read: path => (pathIsThere(path) ? readFileSync(path) : null),
  exists: pathIsThere,
}

function pathIsThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
