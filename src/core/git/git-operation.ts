import { join } from 'node:path/posix'
import { type Gatherer, pathExists, readBytes, tryAskGit } from './gatherer.ts'
import type { GitQuery } from './query.ts'

/** The places that show which git operation is in progress in a worktree. */
export type GitOperation = {
  readonly gitDir: string
  /** The other sides of a merge without conflicts: git names them to pre-merge-commit alone, and in no file. */
  readonly namedSides: readonly string[]
}

type GitDir = Pick<GitOperation, 'gitDir'>

/** True while a rebase is going on. */
export function* isRebasing({ gitDir }: GitDir): Gatherer<boolean> {
  return (yield* pathExists(join(gitDir, 'rebase-merge'))) || (yield* pathExists(join(gitDir, 'rebase-apply')))
}

/** True while git is about to commit a merge. */
export function isMerging({ gitDir }: GitDir): Gatherer<boolean> {
  return pathExists(join(gitDir, 'MERGE_HEAD'))
}

/**
 * True while a rebase makes commits again by itself. At a stop of the rebase the commit can be the user's own; git sets
 * `GIT_REFLOG_ACTION` for its own commits.
 */
export function* isReplaying(context: GitDir & { readonly reflogAction: string }): Gatherer<boolean> {
  if (!(yield* isRebasing(context))) return false
  return (
    context.reflogAction !== '' ||
    (yield* isMerging(context)) ||
    (yield* readPseudoRefs(context, PICK_HEADS)).length > 0
  )
}

/** The commits that are being picked or reverted, or at which a rebase has stopped. */
export function* commitsInProgress(context: GitDir): Gatherer<string[]> {
  return yield* readPseudoRefs(context, (yield* isRebasing(context)) ? [...PICK_HEADS, 'REBASE_HEAD'] : PICK_HEADS)
}

/** The commits that git makes again, with their own messages: the picked one, or that at which a rebase has stopped. */
export function* commitsMadeAgain(context: GitDir): Gatherer<string[]> {
  return (yield* isRebasing(context)) ? yield* commitsInProgress(context) : yield* readPseudoRefs(context, [PICK_HEAD])
}

/** The other sides of the merge that is about to be made; none when there is no merge. */
export function* mergedCommits({ gitDir, namedSides }: GitOperation): Gatherer<string[]> {
  // `rev-parse MERGE_HEAD` would answer only the first side.
  const text = yield* readBytes(join(gitDir, 'MERGE_HEAD'))
  if (text) return text.toString('latin1').trim().split('\n')
  const here: string[] = []
  // The environment can be from a merge in another repository, which started a command in this one.
  for (const oid of namedSides) if (yield* tryAskGit(commitExists(oid))) here.push(oid)
  return here
}

const PICK_HEAD = 'CHERRY_PICK_HEAD'
const PICK_HEADS = [PICK_HEAD, 'REVERT_HEAD']

function* readPseudoRefs(context: GitDir, names: readonly string[]): Gatherer<string[]> {
  const oids: string[] = []
  for (const name of names) {
    const oid = yield* readPseudoRef(context, name)
    if (oid) oids.push(oid)
  }
  return oids
}

// A pseudo-ref is a file, unless the repository keeps its references in tables.
function* readPseudoRef({ gitDir }: GitDir, name: string): Gatherer<string | null> {
  const text = yield* readBytes(join(gitDir, name))
  if (text) return text.toString('latin1').trim()
  if (!(yield* pathExists(join(gitDir, 'reftable')))) return null
  return yield* tryAskGit({ args: ['rev-parse', '--verify', '--quiet', name], parse: out => out.trim() })
}

function commitExists(oid: string): GitQuery<boolean> {
  return { args: ['cat-file', '-e', `${oid}^{commit}`], parse: () => true }
}
