import { type EndedCheck, noteCheckEnd } from '../lesson-store/failed-checks.ts'
import { learnFromCommits, learnFromDone } from '../lesson-store/refusal-lessons.ts'
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

/** Learns from tests that an agent has run. */
export async function learnFromTests(root: string, ended: EndedCheck): Promise<void> {
  await noteCheckEnd(await openWorkspace(root), ended, process.env)
}
