import { join } from 'node:path'
import { watchFolder } from '../io/watch.ts'
import { judgeHistory } from '../workspace/history.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Reports } from './worker.ts'

/** Judges commits as the post-commit hook tells of them. */
export type Historian = Disposable & {
  /** Resolves when every commit that was told of is judged. */
  caughtUp(): Promise<void>
}

/** Begins with what was told while nobody listened. */
export function openHistorian(workspace: Workspace, { recorded, failed }: Reports): Historian {
  let work: Promise<void> = Promise.resolve()
  const judge = (): Promise<void> => {
    work = work.then(() => judgeHistory(workspace)).then(recorded, failed)
    return work
  }
  const folder = watchFolder(join(workspace.gitDir, 'kotef'), {
    changed: name => void (name === 'queue' && judge()),
    failed,
  })
  void judge()
  return { caughtUp: judge, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}
