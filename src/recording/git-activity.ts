import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workspace } from '../workspace/workspace.ts'

/** Evidence of what git has been doing to the worktree. Times are milliseconds since 1970. */
export type GitActivity = {
  /** A merge, rebase, cherry-pick or revert is under way. */
  readonly operation: boolean
  /** Git has rewritten the index in the last seconds. */
  readonly lately: boolean
  /** HEAD has just moved by a commit, which writes and deletes no files by itself. */
  readonly committed: boolean
  /** True when git was rewriting the index at that time. */
  brackets(modifiedAt: number): boolean
  /** True when git has been at work since, and had a blob before it began: it may have put it into the tree. */
  mayHaveRestored(oid: string, since: number): Promise<boolean>
  /** True when git got to know a blob only after the file that holds it had been written. */
  knewOnlyAfter(oid: string, modifiedAt: number): Promise<boolean>
}

/** The time from `index.lock` being created to the new index being complete, in milliseconds since 1970. */
export type Bracket = { readonly from: number; readonly to: number }

/** When the index that stands now was made; null when there is none. Its inode was born as `index.lock`. */
export async function indexBracket({ gitDir }: Workspace): Promise<Bracket | null> {
  const index = await stat(join(gitDir, 'index')).catch(() => null)
  return index && { from: index.birthtimeMs, to: index.mtimeMs }
}

/** True while a git command holds the index; a lock that is older than a minute was left behind. */
export async function indexIsLocked({ gitDir, clock }: Workspace): Promise<boolean> {
  const lock = await stat(join(gitDir, 'index.lock')).catch(() => null)
  return lock !== null && clock.now() - lock.mtimeMs < LOCK_MS_MAX
}

const LOCK_MS_MAX = 60_000

/** What can be said of git's doings now, given the brackets that were seen. */
export async function gitActivity(workspace: Workspace, brackets: readonly Bracket[]): Promise<GitActivity> {
  const { commonDir, clock } = workspace
  const operation = await operationUnderWay(workspace)
  const committedAt = operation ? -Infinity : await lastCommitAt(workspace)
  return {
    operation,
    lately: brackets.some(it => it.to > clock.now() - LATELY_MS),
    committed: committedAt > clock.now() - LATELY_MS,
    brackets: modifiedAt => brackets.some(({ from, to }) => modifiedAt >= from - TICK_MS && modifiedAt <= to + TICK_MS),
    async mayHaveRestored(oid, since) {
      const begun = brackets.filter(it => it.to >= since - TICK_MS).map(it => it.from)
      return begun.length > 0 && (await madeAt(commonDir, oid)) < Math.min(...begun)
    },
    async knewOnlyAfter(oid, modifiedAt) {
      const made = await madeAt(commonDir, oid)
      // Nobody can tell which of two stamps within a tick came first. A commit that came later can: it writes no files.
      const near = Math.abs(made - modifiedAt) <= TICK_MS
      return near ? committedAt >= modifiedAt - TICK_MS : made > modifiedAt
    },
  }
}

/**
 * When git made a loose object; packed ones are older than anything here. Git stamps an object anew whenever it would
 * make it once more, as for a look at what a merge comes to, but it stays the file that it was.
 */
async function madeAt(commonDir: string, oid: string): Promise<number> {
  const object = await stat(join(commonDir, 'objects', oid.slice(0, 2), oid.slice(2))).catch(() => null)
  return object ? Math.min(object.mtimeMs, object.birthtimeMs || object.mtimeMs) : -Infinity
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10

async function operationUnderWay({ gitDir }: Workspace): Promise<boolean> {
  // A clean revert has nothing but its message there while the hooks run.
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'MERGE_MSG', 'rebase-merge', 'rebase-apply']
  const found = await Promise.all(signs.map(it => stat(join(gitDir, it)).catch(() => null)))
  return found.some(it => it !== null)
}

/** When HEAD moved last, if that was by a commit. */
async function lastCommitAt({ gitDir, files }: Workspace): Promise<number> {
  const log = join(gitDir, 'logs/HEAD')
  const [movedAt, end] = await Promise.all([files.modifiedAt(log), files.readEnd(log, 4_096)])
  const [, message = ''] = end?.bytes.toString('utf8').trimEnd().split('\n').at(-1)?.split('\t') ?? []
  return movedAt !== null && message.startsWith('commit') ? movedAt : -Infinity
}

const LATELY_MS = 10_000
