import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { KotefError } from '../report/failure.ts'

/** Where a hook runs: git starts it at the top of the worktree, and names the git directory when it is not `.git`. */
export type Place = {
  readonly gitDir: string
  /** The folder that this program was installed into, shared by all worktrees of the clone. */
  readonly shared: string
  readonly compiled: string
  /** True when git opened, or will open, an editor for the message. */
  readonly edited: boolean
  /** The session that the environment names, or null. */
  readonly session: string | null
}

/** The place of the hook that this process is. */
export function hereAndNow(): Place {
  const gitDir = process.env['GIT_DIR'] || '.git'
  return {
    gitDir,
    shared: dirname(process.argv[1] ?? ''),
    compiled: join(gitDir, 'kotef/compiled'),
    edited: process.env['GIT_EDITOR'] !== ':',
    session: process.env['KOTEF_SESSION'] ?? null,
  }
}

/** Asks git with the index that the commit is being made of. */
export function ask<T>({ args, parse }: GitQuery<T>): T {
  const answer = tryAsk({ args, parse })
  if (answer === null) throw new KotefError('git-failed', `git ${args.join(' ')} failed.`)
  return answer
}

/** As `ask`, but a failing git is the answer null. */
export function tryAsk<T>({ args, parse }: GitQuery<T>): T | null {
  try {
    return parse(
      execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  } catch {
    return null
  }
}

/** True while git replays commits that exist already, or merges them. */
export function isReplaying({ gitDir }: Place): boolean {
  const signs = ['rebase-merge', 'rebase-apply', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
  return signs.some(it => existsSync(join(gitDir, it)))
}

/** True while git rebases: each commit keeps what it says. */
export function isRebasing({ gitDir }: Place): boolean {
  return ['rebase-merge', 'rebase-apply'].some(it => existsSync(join(gitDir, it)))
}

/** True while git is about to commit a merge. */
export function isMerging({ gitDir }: Place): boolean {
  return existsSync(join(gitDir, 'MERGE_HEAD'))
}
