import { KotefError } from '../findings/failure.ts'
import { annotateCommits } from '../provenance/annotate-commits.ts'
import { catchUpLedger } from '../commits/catch-up.ts'
import { openWorkspace } from '../worktree/workspace.ts'
import type { RunVerb } from './verb.ts'

/** `kotef finalise`: notes on each new commit whom its lines are from. The daemon starts it when HEAD has moved. */
export const run: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const { isWatched, behind } = await catchUpLedger(workspace)
  // Who notes without the newest writes would call their lines nobody's.
  if (behind !== null) throw new KotefError('daemon-failed', `The newest commits have no notes yet. ${behind}`)
  await annotateCommits(workspace, { isWatched })
  return { text: '', json: { finalised: true } }
}
