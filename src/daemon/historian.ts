import { join } from 'node:path'
import { watchFolder } from '../io/watch-folder.ts'
import { judgeHistory } from '../workspace/history.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import { oneAtATime } from './rhythm.ts'
import type { Reports } from './worker.ts'

/** Judges commits as hooks tell of them, and as HEAD moves without any hook. */
export type Historian = Disposable & {
  /** Resolves when every commit that was told of is judged. */
  caughtUp(): Promise<void>
}

/** Begins with what was told while nobody listened. */
export async function openHistorian(
  workspace: Workspace,
  { recorded, failed, moved }: Pick<Reports, 'recorded' | 'failed'> & { readonly moved: () => void },
): Promise<Historian> {
  const judge = oneAtATime(() => judgeHistory(workspace).then(recorded, failed))
  const signs = Object.entries(await signsOf(workspace))
  const folders = signs.map(([folder, isSign]) =>
    watchFolder(folder, { changed: name => void (isSign(name) && judge().finally(moved)), failed }),
  )
  void judge()
  return { caughtUp: judge, [Symbol.dispose]: () => folders.forEach(it => it[Symbol.dispose]()) }
}

/** The folders in which something shows that there may be commits to judge, by the names of what changes there. */
async function signsOf(workspace: Workspace): Promise<Record<string, (name: string) => boolean>> {
  const { files, gitDir } = workspace
  const signs: Record<string, (name: string) => boolean> = {
    [placesOf(workspace).own]: name => name === 'queue',
    // A rebase keeps its commits back until it is over.
    [gitDir]: name => /^(HEAD|rebase-merge|rebase-apply)$/.test(name),
  }
  // HEAD's log tells of the commits that come by plumbing; git may keep it in a table.
  for (const [folder, test] of [
    ['logs', /^HEAD$/],
    ['reftable', /^tables\.list$/],
  ] as const) {
    const path = join(gitDir, folder)
    if ((await files.modifiedAt(path)) !== null) signs[path] = name => test.test(name)
  }
  return signs
}
