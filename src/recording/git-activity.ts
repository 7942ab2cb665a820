import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workspace } from '../workspace/workspace.ts'

/** Evidence of what git has been doing to the worktree. */
export type GitActivity = {
  /** A merge, rebase, cherry-pick or revert is under way. */
  readonly operation: boolean
  /** True when git was rewriting the index at that time (milliseconds), or at any time lately for null. */
  brackets(modifiedAt: number | null): boolean
  /** HEAD has just moved by a commit, which writes and deletes no files by itself. */
  readonly committed: boolean
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
  const committed = await hasJustCommitted(workspace)
  return {
    operation: await operationUnderWay(workspace),
    committed,
    brackets: modifiedAt =>
      brackets.some(
        ({ from, to }) => modifiedAt === null || (modifiedAt >= from - TICK_MS && modifiedAt <= to + TICK_MS),
      ),
    async knewOnlyAfter(oid, modifiedAt) {
      const path = join(workspace.commonDir, 'objects', oid.slice(0, 2), oid.slice(2))
      const object = await stat(path).catch(() => null)
      if (!object) return false
      // Of two stamps in one tick of the kernel's clock nobody can tell which came first; a commit writes no files.
      return object.mtimeMs > modifiedAt + (committed ? -TICK_MS : 0)
    },
  }
}

// The coarsest tick with which a Linux kernel stamps files (CONFIG_HZ=100).
const TICK_MS = 10

async function operationUnderWay({ gitDir }: Workspace): Promise<boolean> {
  const signs = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']
  const found = await Promise.all(signs.map(it => stat(join(gitDir, it)).catch(() => null)))
  return found.some(it => it !== null)
}

async function hasJustCommitted({ gitDir, files, clock }: Workspace): Promise<boolean> {
  const log = join(gitDir, 'logs/HEAD')
  const movedAt = (await files.modifiedAt(log)) ?? 0
  if (clock.now() - movedAt > JUST_MS) return false
  const end = await files.readEnd(log, 4_096)
  const [, message = ''] = end?.bytes.toString('utf8').trimEnd().split('\n').at(-1)?.split('\t') ?? []
  return message.startsWith('commit')
}

const JUST_MS = 10_000
