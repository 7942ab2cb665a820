import { join } from 'node:path'
import { watchFolder } from '../io/watch/watch-folder.ts'
import { judgeNewCommits } from '../commits/judge-new-commits.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { coalesce } from './reconcile-timer.ts'
import type { RecorderEvents } from './recorder.ts'

/** Judges commits as hooks tell of them, and as HEAD moves without any hook. */
export type CommitWatcher = Disposable & {
  /** Resolves when every commit that was told of is judged. */
  drain(): Promise<void>
}

/** Begins with what was told while nobody listened. */
export async function openCommitWatcher(
  workspace: Workspace,
  { recorded, failed, headMoved }: Pick<RecorderEvents, 'recorded' | 'failed'> & { readonly headMoved: () => void },
): Promise<CommitWatcher> {
  const judge = coalesce(() => judgeNewCommits(workspace).then(recorded, failed))
  const triggers = Object.entries(await commitTriggers(workspace))
  const folders = triggers.map(([folder, isTrigger]) =>
    watchFolder(folder, { changed: name => void (isTrigger(name) && judge().finally(headMoved)), failed }),
  )
  void judge()
  return { drain: judge, [Symbol.dispose]: () => folders.forEach(it => it[Symbol.dispose]()) }
}

/** The folders in which something shows that there may be commits to judge, by the names of what changes there. */
async function commitTriggers(workspace: Workspace): Promise<Record<string, (name: string) => boolean>> {
  const { files, gitDir } = workspace
  const triggers: Record<string, (name: string) => boolean> = {
    [layoutOf(workspace).own]: name => name === 'queue',
    // A rebase keeps its commits back until it is over.
    [gitDir]: name => /^(HEAD|rebase-merge|rebase-apply)$/.test(name),
  }
  // HEAD's log tells of the commits that come by plumbing; git may keep it in a table.
  for (const [folder, test] of [
    ['logs', /^HEAD$/],
    ['reftable', /^tables\.list$/],
  ] as const) {
    const path = join(gitDir, folder)
    if ((await files.modifiedAt(path)) !== null) triggers[path] = name => test.test(name)
  }
  return triggers
}
