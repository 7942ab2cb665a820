import { commitLog, type LogSelection, type LoggedCommit } from '../../core/git/log.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitsBeforeNotes } from './annotation-state.ts'
import { commitsBetween, registryAdditions } from './commit-queries.ts'

/** The commits of HEAD or of a range, since a time (milliseconds since 1970) or ever, newest first. */
export async function countableCommits(
  workspace: Workspace,
  selection: Pick<LogSelection, 'range' | 'since'>,
): Promise<{
  /** Those whose lines an intent may want. */
  readonly work: readonly LoggedCommit[]
  /** The others, such as the adoption. */
  readonly governance: readonly LoggedCommit[]
}> {
  const all = (await workspace.git.tryAsk(commitLog(selection))) ?? []
  const adoptions = new Set(await workspace.git.tryAsk(registryAdditions))
  // A squash has the reasons of its governance commits, and the intents of its work.
  const isWork = (it: LoggedCommit) => (it.governance === null || it.intents.length > 0) && !adoptions.has(it.commit)
  return { work: all.filter(isWork), governance: all.filter(it => !isWork(it)) }
}

type WorkToDate = {
  readonly work: readonly Pick<LoggedCommit, 'commit'>[]
  readonly isNoted: (commit: string) => boolean
  readonly range?: string
}

/** Answers whether the lines of a commit count: it has a note, or was made since kotef was set up. */
export async function isSinceSetUp(
  workspace: Workspace,
  { work, isNoted, range = 'HEAD' }: WorkToDate,
): Promise<(commit: string) => boolean> {
  const ends = work.every(it => isNoted(it.commit)) ? null : await commitsBeforeNotes(workspace)
  const since = new Set(ends === null ? [] : await workspace.git.ask(commitsBetween([range], ends)))
  return commit => isNoted(commit) || since.has(commit)
}
