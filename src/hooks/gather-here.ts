import { lstatSync, readFileSync } from 'node:fs'
import { type FactSource, type Gatherer, gatherSync } from '../git/gatherer.ts'
import { gitSync } from '../io/git/git-sync.ts'
import { prefetchedAnswer } from './prefetched.ts'

/** Git, with the index that the commit is made from. */
const GIT = gitSync(prefetchedAnswer)

/** Asks git in the hook's worktree; null when git answers with an error. */
export const tryAskGitSync = GIT.tryAsk

/** Runs a gatherer in the hook's worktree, which is the current folder. */
export function gatherHere<T>(gatherer: Gatherer<T>): T {
  return gatherSync(SYNC_SOURCE, gatherer)
}

const SYNC_SOURCE: FactSource = {
  ask: GIT.ask,
  tryAsk: tryAskGitSync,
  read: path => (pathIsThere(path) ? readFileSync(path) : null),
  exists: pathIsThere,
}

function pathIsThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
