import { endedCheck, noteCheckEnd } from '../../world/lessons/failed-checks.ts'
import { settleStaged } from '../../world/lessons/staged-lessons.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'

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
