import { KotefError } from '../../../core/base/failure.ts'
import { packageFile } from '../../../world/io/files/package.ts'
import { plural } from '../../../core/base/printable.ts'
import { uninitialise, type UninitResult } from '../../../world/setup/init.ts'
import { deleteRefs, endAllSessions, kotefRefs, worktreesOfClone } from '../../../world/setup/leave-clone.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { requirePerson } from '../person.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef uninit`: stops what runs, ends the sessions, and removes kotef from this clone. */
export const run: RunVerb = async call => {
  const purged = call.options['purge'] === true
  const workspace = await openWorkspace(call.cwd)
  await requirePerson(call, workspace, { what: 'remove kotef' })
  const ended = await endActivity(workspace)
  const result = await uninitialise(workspace, { purged })
  const refs = await kotefRefs(workspace)
  if (purged) await deleteRefs(workspace, refs)
  const text = [
    ...activityLines(ended),
    ...removedLines(result),
    ...remainingFileLines(result.left),
    ...(purged ? changedFileLines(result.kept) : [FILES_STAY]),
    ...refLines(refs, purged),
    ...(purged ? [] : LEAVING),
  ]
  return { text: text.join('\n'), json: { ...result, ...ended, refs }, exit: result.left.length > 0 ? 1 : 0 }
}

type EndedActivity = { readonly stopped: readonly number[]; readonly sessions: number }

// A daemon that goes on running would write its files again. Each worktree of the clone may have one.
async function endActivity(workspace: Workspace): Promise<EndedActivity> {
  const { stopDaemon } = await import('../../../world/io/daemon-client/stop-daemon.ts')
  const stopped: number[] = []
  let sessions = 0
  for (const it of await worktreesOfClone(workspace)) {
    const pid = await stopDaemon(it).catch((thrown: unknown) => {
      if (thrown instanceof KotefError && thrown.code === 'daemon-not-running') return null
      throw thrown
    })
    if (pid !== null) stopped.push(pid)
    sessions += await endAllSessions(it)
  }
  return { stopped, sessions }
}

function activityLines({ stopped, sessions }: EndedActivity): string[] {
  return [
    ...stopped.map(it => `Stopped the daemon (pid ${it}).`),
    ...(sessions > 0 ? [`Ended ${plural(sessions, 'session')}.`] : []),
  ]
}

function removedLines({ removed }: UninitResult): string[] {
  return removed.length > 0 ? ['Removed from:', ...removed.map(it => `  ${it}`)] : ['No git hook called kotef.']
}

const FILES_STAY =
  'The files in .orchestration and .sdd, and .intentignore, stay; `kotef uninit --purge` removes the unchanged ones.'
const LEAVING = [`To take kotef out of the repository for everybody: ${packageFile('docs/leaving.md')}`]

function refLines(refs: readonly string[], purged: boolean): string[] {
  if (refs.length === 0) return []
  const what = purged ? 'Removed these refs of this clone:' : 'These refs stay; `kotef uninit --purge` removes them:'
  return [what, ...refs.map(it => `  ${it}`)]
}

function remainingFileLines(left: readonly string[]): string[] {
  if (left.length === 0) return []
  const what = 'kotef is still in these files, which it cannot edit without loss. Remove it by hand:'
  return [what, ...left.map(it => `  ${it}`)]
}

function changedFileLines(kept: readonly string[]): string[] {
  if (kept.length === 0) return []
  return ['Kept, because they were edited:', ...kept.map(it => `  ${it}`), `Remove them with \`rm ${kept.join(' ')}\``]
}
