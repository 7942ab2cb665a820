import { endedCheck, noteCheckEnd } from '../lesson-store/failed-checks.ts'
import { learnFromCommits, learnFromDone } from '../lesson-store/refusal-lessons.ts'
import { settleStaged } from '../lesson-store/staged-lessons.ts'
import { countedRuns } from '../session-runs/run-store.ts'
import { openWorkspace } from '../worktree/workspace.ts'

/** Learns from the work of a session that had writes refused, once it is committed or done. */
export async function learnFromWork(root: string, session: string): Promise<void> {
  const workspace = await openWorkspace(root)
  await learnFromCommits(workspace, session)
  const run = (await countedRuns(workspace)).runs.find(it => it.terms.session === session)
  const isDone = run?.state.end?.status.startsWith('done') === true
  if (isDone) await learnFromDone(workspace, session, Object.keys(run.tree.paths))
}

/** Has lessons that a commit took with it wait no longer. */
export async function settleLessons(root: string): Promise<void> {
  await settleStaged(await openWorkspace(root))
}

/** Tests that an agent has run; `output` is null when they passed. */
type EndedTests = { readonly command: string; readonly output: string | null }

/** Learns from tests that an agent has run. */
export async function learnFromTests(root: string, { command, output }: EndedTests): Promise<void> {
  const workspace = await openWorkspace(root)
  const ended = await endedCheck(workspace, { command, isPublished: false, intent: null, output })
  await noteCheckEnd(workspace, ended, process.env)
}
