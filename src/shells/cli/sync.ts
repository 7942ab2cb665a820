import { chooseRemote, syncNotes } from '../../world/provenance/sync-notes.ts'
import type { SyncedClaims } from '../../world/provenance/sync-claims.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { plural, printable } from '../../core/base/printable.ts'
import { openRepository, type Workspace } from '../../world/io/worktree/workspace.ts'
import { annotateCommits, manyNotice, updateNotes } from '../../world/provenance/annotate-commits.ts'
import { firstArgument, type RunVerb } from './verb.ts'

/** `kotef sync`: merges the notes of this clone and of a remote, in both, and exchanges who holds which intent. */
export const run: RunVerb = async call => {
  const workspace = await openRepository(call.cwd)
  const remote = await chooseRemote(workspace, firstArgument(call))
  await updateNotes(workspace, call)
  const first = await syncNotes(workspace, remote)
  const isNew =
    first.fetched && (await annotateCommits(workspace, { isWatched: false, onMany: manyNotice(call.notify) }))
  const result = isNew ? { ...(await syncNotes(workspace, remote)), fetched: true } : first
  const claims = await exchangeClaims(workspace, remote)
  const { fetched, pushed } = result
  const what = [fetched ? 'fetched new notes' : '', pushed ? 'pushed new notes' : ''].filter(it => it !== '')
  const text = `${printable(remote)}: ${what.join(', ') || 'notes are up to date'}`
  return { text: [text, ...claimLines(claims)].join('\n'), json: { ...result, claims } }
}

// Claims are only shown, so the notes count as synced when a server takes none.
async function exchangeClaims(workspace: Workspace, remote: string): Promise<SyncedClaims | { problem: string }> {
  try {
    const { syncClaims } = await import('../../world/provenance/sync-claims.ts')
    return await syncClaims(workspace, remote)
  } catch (thrown) {
    return { problem: toKotefError(thrown).message }
  }
}

function claimLines(claims: SyncedClaims | { problem: string }): string[] {
  if ('problem' in claims) return [`Claims were not shared: ${claims.problem}`]
  const { elsewhere } = claims
  return elsewhere > 0 ? [`Other clones hold ${plural(elsewhere, 'claim')}: \`kotef intent list\``] : []
}
