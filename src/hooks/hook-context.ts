import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gitSync } from '../io/git/git-sync.ts'
import { prefetchedAnswer } from './prefetched.ts'

/** Where a hook runs: git starts it at the top of the worktree, and names the git directory when it is not `.git`. */
export type HookContext = {
  /** The name of the hook that git runs. */
  readonly hook: string
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
export function hookContext(hook: string): HookContext {
  const gitDir = process.env['GIT_DIR'] || '.git'
  return {
    hook,
    gitDir,
    shared: dirname(process.argv[1] ?? ''),
    compiled: join(gitDir, 'kotef/compiled'),
    edited: process.env['GIT_EDITOR'] !== ':',
    session: process.env['KOTEF_SESSION'] ?? null,
  }
}

/** Git with the index that the commit is being made of. */
export const { ask: askGitSync, tryAsk: tryAskGitSync } = gitSync(prefetchedAnswer)

/** True while git itself makes commits anew, in a rebase. At a stop of it a commit can be the user's own. */
export function isReplaying(context: HookContext): boolean {
  if (!isInRebase(context)) return false
  return (
    Boolean(process.env['GIT_REFLOG_ACTION']) || isMerging(context) || readPseudoRefs(context, PICK_HEADS).length > 0
  )
}

function isInRebase({ gitDir }: HookContext): boolean {
  return ['rebase-merge', 'rebase-apply'].some(it => existsSync(join(gitDir, it)))
}

/** True while git is about to commit a merge. */
export function isMerging({ gitDir }: HookContext): boolean {
  return existsSync(join(gitDir, 'MERGE_HEAD'))
}

/** The commit that is being picked or reverted, or at which a rebase has stopped. */
export function commitsInProgress(context: HookContext): string[] {
  return readPseudoRefs(context, isInRebase(context) ? [...PICK_HEADS, 'REBASE_HEAD'] : PICK_HEADS)
}

const PICK_HEADS = ['CHERRY_PICK_HEAD', 'REVERT_HEAD']

function readPseudoRefs(context: HookContext, names: readonly string[]): string[] {
  return names.flatMap(it => readPseudoRef(context, it) ?? [])
}

// Such a name is a file, unless git keeps its references in tables.
function readPseudoRef({ gitDir }: HookContext, name: string): string | null {
  const file = join(gitDir, name)
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (!existsSync(join(gitDir, 'reftable'))) return null
  return tryAskGitSync({ args: ['rev-parse', '--verify', '--quiet', name], parse: out => out.trim() })
}
