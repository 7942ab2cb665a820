import { join } from 'node:path'
import { watchFolder } from '../../world/io/watch/watch-folder.ts'
import type { Settled } from '../../world/commits/judge-new-commits.ts'
import { joinWindows, type ToolWindow } from '../../core/authorship/tool-window.ts'
import { readWindows } from '../../world/recording/agent-activity/windows.ts'
import { judgeBeside } from './commit-jobs.ts'
import { settleStaged } from '../../world/lessons/staged-lessons.ts'
import { reopenFastPath } from '../../world/intents/policy/compile-policy.ts'
import { openRefWatcher } from './ref-watcher.ts'
import { layoutOf } from '../../world/io/worktree/layout.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'
import type { UnseenContext } from '../../world/provenance/unseen-writes.ts'
import type { RecorderEvents } from './recorder.ts'

/** Judges new commits when a hook reports one, and when HEAD moves without a hook; and looks after kotef's own refs. */
export type CommitWatcher = Disposable & {
  /** Resolves when every reported commit is judged, and kotef's refs are as kotef left them. */
  drain(): Promise<void>
}

type CommitWatcherContext = Pick<RecorderEvents, 'recorded' | 'failed'> & {
  readonly headMoved: () => void
  readonly settled: Settled
  readonly context: UnseenContext
}

/** Starts by judging the commits that were made while no daemon was running. */
export async function openCommitWatcher(
  workspace: Workspace,
  { recorded, failed, headMoved, settled, context }: CommitWatcherContext,
): Promise<CommitWatcher> {
  const reopen = () => reopenFastPath(workspace).catch(failed)
  // Lessons that a commit took with it wait no longer: the git hooks need not start Node for them.
  const settleLessons = () => settleStaged(workspace).then(() => {}, failed)
  const stop = new AbortController()
  let windows: readonly ToolWindow[] = []
  // Read at once: the next call of the same agent replaces the window in which a commit was made.
  const lookAtWindows = () =>
    readWindows(workspace).then(now => {
      // Of one that is open, no more is known than that it was open until now.
      const seen = now.map(it => ({ ...it, closedAt: it.closedAt ?? workspace.clock.now() }))
      windows = joinWindows(windows, seen).slice(-WINDOWS_MAX)
    }, failed)
  const recordFirst = async (made: readonly string[]) => {
    if (made.length === 0) return []
    // Loaded here: a daemon starts without what reads history.
    const { recordUnseenWrites } = await import('../../world/provenance/unseen-writes.ts')
    return recordUnseenWrites(context, { made, windows }).catch((thrown: unknown) => {
      failed(thrown)
      return []
    })
  }
  const work = () => judgeBeside(workspace, { signal: stop.signal, settled, recordFirst })
  const judge = coalesce(() => work().then(recorded, failed).then(reopen).then(settleLessons))
  const triggers = Object.entries(await commitTriggers(workspace))
  const triggered = (name: string) => (name === 'queue' ? lookAtWindows().then(judge) : judge())
  const folders = triggers.map(([folder, isTrigger]) =>
    watchFolder(folder, {
      changed: name => void (isTrigger(name) && triggered(name).finally(headMoved)),
      failed,
    }),
  )
  // A ref that another program changed is put back before anything is read from it.
  const refs = openRefWatcher(workspace, { recorded, failed })
  void judge()
  return {
    drain: () => refs.look().then(judge),
    [Symbol.dispose]() {
      stop.abort()
      for (const it of [...folders, refs]) it[Symbol.dispose]()
    },
  }
}

// More tool calls than end while one commit waits for its judgement.
const WINDOWS_MAX = 50

/** The folders to watch, each with a test of the file names whose change may mean new commits. */
async function commitTriggers(workspace: Workspace): Promise<Record<string, (name: string) => boolean>> {
  const { files, gitDir } = workspace
  const triggers: Record<string, (name: string) => boolean> = {
    [layoutOf(workspace).own]: name => name === 'queue',
    // The commits of a rebase are judged when it has ended.
    [gitDir]: name => /^(HEAD|rebase-merge|rebase-apply)$/.test(name),
  }
  // HEAD's reflog shows commits made by plumbing commands. Git may keep it in a reftable.
  for (const [folder, test] of [
    ['logs', /^HEAD$/],
    ['reftable', /^tables\.list$/],
  ] as const) {
    const path = join(gitDir, folder)
    if ((await files.modifiedAt(path)) !== null) triggers[path] = name => test.test(name)
  }
  return triggers
}
