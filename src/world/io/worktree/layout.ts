import { join } from 'node:path'
import {
  CONFIG_PATH,
  INTENTIGNORE_PATH,
  INTENTS_FOLDER,
  LEDGER_PATH,
  REGISTRY_PATH,
  PROJECT_POLICY_PATH,
} from '../../../core/base/governance-files.ts'
import type { Workspace } from './workspace.ts'

// Agents' hooks load this file with every tool call: it imports neither git nor the disk.

/** The paths of kotef's files and folders, for one worktree. */
export function layoutOf(worktree: Pick<Workspace, 'root' | 'gitDir' | 'commonDir'>) {
  const { root, commonDir } = worktree
  return {
    registry: join(root, REGISTRY_PATH),
    intents: join(root, INTENTS_FOLDER),
    config: join(root, CONFIG_PATH),
    ledger: join(root, LEDGER_PATH),
    /** The ledger's other name, where `git clean` does not reach it. */
    keptLedger: ownPath(worktree, 'agent_trace.jsonl'),
    intentignore: join(root, INTENTIGNORE_PATH),
    policy: join(root, PROJECT_POLICY_PATH),
    own: ownPath(worktree),
    sessions: ownPath(worktree, 'sessions'),
    compiled: ownPath(worktree, 'compiled'),
    /** The folder that all worktrees of the clone share. */
    shared: join(commonDir, 'kotef'),
  }
}

/** The folder of kotef's files for one worktree, `<git-dir>/kotef`, or a path in it. */
export function ownPath({ gitDir }: Pick<Workspace, 'gitDir'>, ...names: readonly string[]): string {
  return join(gitDir, 'kotef', ...names)
}

/** Where the lines of a file of git's settings are kept as a person chose them. */
export function savedSettingPath(worktree: Pick<Workspace, 'gitDir'>, name: string): string {
  return ownPath(worktree, 'settings', name)
}

/** The name of a file among the compiled ones that is there while constraints forbid commands. */
export const COMMANDS_FORBIDDEN = 'commands-forbidden'

/** The name of a file in it that is touched when a check of an intent has ended. */
export const CHECKS_ENDED = 'checks-ended'

/** The name of the file of lessons that wait for a commit, in the folder of all worktrees; the hooks know it. */
export const WAITING_LESSONS = 'lessons-waiting.md'

/** The name of the note of those that a commit is taking with it, in the folder of its worktree. */
export const STAGED_LESSONS = 'lessons-staged.json'
