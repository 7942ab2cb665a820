import { chooseRemote, syncNotes } from '../provenance/sync-notes.ts'
import { printable } from '../text/printable.ts'
import { openRepository } from '../worktree/workspace.ts'
import { annotateCommits, updateNotes } from '../provenance/annotate-commits.ts'
import { firstArgument, type RunVerb } from './verb.ts'

/** `kotef sync`: merges the notes of this clone and of a remote, in both. */
export const run: RunVerb = async call => {
  const workspace = await openRepository(call.cwd)
  const remote = await chooseRemote(workspace, firstArgument(call))
  await updateNotes(workspace, call)
  const first = await syncNotes(workspace, remote)
  const isNew = first.fetched && (await annotateCommits(workspace, { isWatched: false }))
  const result = isNew ? { ...(await syncNotes(workspace, remote)), fetched: true } : first
  const { fetched, pushed } = result
  const what = [fetched ? 'fetched new notes' : '', pushed ? 'pushed new notes' : ''].filter(it => it !== '')
  return { text: `${printable(remote)}: ${what.join(', ') || 'notes are up to date'}`, json: result }
}
