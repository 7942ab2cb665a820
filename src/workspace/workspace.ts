import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { type Clock, systemClock } from '../io/clock.ts'
import { disk, type Files } from '../io/files.ts'
import { type Git, gitIn } from '../io/git.ts'
import { KotefError } from '../report/failure.ts'

/** An opened worktree: where things are, and the hands (git, disk, clock) that every use-case is given. */
export type Workspace = {
  /** Absolute path of the top of the worktree, symlinks resolved. */
  readonly root: string
  /** This worktree's own git directory: `.git`, or `.git/worktrees/<name>`. */
  readonly gitDir: string
  /** The git directory that all worktrees of the clone share. */
  readonly commonDir: string
  readonly git: Git
  readonly files: Files
  readonly clock: Clock
}

/** Opens the worktree that `directory` lies in. */
export async function openWorkspace(
  directory: string,
  { files = disk, clock = systemClock }: { files?: Files; clock?: Clock } = {},
): Promise<Workspace> {
  const places = await gitIn(directory).tryAsk(whereAmI)
  const [root, gitDir, commonDir] = places ?? []
  if (!root || !gitDir || !commonDir) throw new KotefError('not-a-repo', `${directory} is not in a git worktree.`)
  return { root, gitDir, commonDir, git: gitIn(root), files, clock }
}

const whereAmI: GitQuery<string[]> = {
  args: ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'],
  parse: out => out.split('\n').slice(0, -1),
}

/** Every place that kotef keeps something in, of one worktree. */
export function placesOf({ root, gitDir, commonDir }: Pick<Workspace, 'root' | 'gitDir' | 'commonDir'>) {
  const own = join(gitDir, 'kotef')
  return {
    registry: join(root, '.orchestration/active_intents.yaml'),
    config: join(root, '.orchestration/config.yaml'),
    ledger: join(root, '.orchestration/agent_trace.jsonl'),
    intentignore: join(root, '.intentignore'),
    policy: join(root, '.sdd/KOTEF.md'),
    own,
    sessions: join(own, 'sessions'),
    compiled: join(own, 'compiled'),
    shared: join(commonDir, 'kotef'),
  }
}
