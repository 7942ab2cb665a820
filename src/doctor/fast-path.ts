import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from '../io/finished.ts'
import { withoutPlaces } from '../io/without-places.ts'
import { linkOf, POLICY_FILES } from '../scope/state.ts'
import { type Closed, fastPathOf } from '../workspace/fast-path.ts'
import { loadPolicy } from '../workspace/policy.ts'
import { liveSessions } from '../workspace/sessions.ts'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Note } from './complaint.ts'

/** Why a commit here is judged in full, which takes longer; nothing when the shell alone can tell that it is fine. */
export async function fastPathNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Note[]> {
  const sessions = await liveSessions(workspace)
  // Nothing is written into the repository by looking at it.
  const path = await fastPathOf(workspace, { policy: await loadPolicy(workspace), sessions, trialsIn: tmpdir() })
  const closed = 'closed' in path ? path : await closedByDisk(workspace, env)
  return closed ? [{ what: `every commit takes the longer way here: ${closed.closed}`, fix: closed.fix }] : []
}

async function closedByDisk(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<Closed | null> {
  if (await lacksLinks(workspace)) {
    return { closed: 'the disk gives no second name (hard link) to a file of this worktree', fix: null }
  }
  if ((await workspace.files.modifiedAt(activeOf(workspace))) === null) return null
  if (!(await isOpenToOthers(workspace, env))) return null
  return { closed: `others could write in ${placesOf(workspace).compiled}`, fix: 'Close it: `kotef doctor --fix`' }
}

// Whatever is older than what was compiled was linked then, if the disk can.
async function lacksLinks({ files, ...workspace }: Workspace): Promise<boolean> {
  const { compiled } = placesOf(workspace)
  const compiledAt = await files.modifiedAt(join(compiled, 'state.json'))
  const lacking = POLICY_FILES.map(async (path, n) => {
    const writtenAt = await files.modifiedAt(join(workspace.root, path))
    if (writtenAt === null || compiledAt === null || writtenAt > compiledAt) return false
    return (await files.modifiedAt(join(compiled, linkOf(n)))) === null
  })
  return (await Promise.all(lacking)).some(Boolean)
}

// Only a shell can say how the shell of the hooks sees it.
async function isOpenToOthers(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<boolean> {
  const script = 'kotef=$1 hook=doctor; . "$kotef/common.sh"; command -v modes || exit 1; private "$(modes)" || exit 9'
  const words = ['-c', script, 'sh', placesOf(workspace).shared]
  const around = { ...withoutPlaces(env), GIT_DIR: workspace.gitDir, KOTEF: '', KOTEF_PROBE: '' }
  return (await finished('sh', words, { cwd: workspace.root, env: around })).exit === 9
}

function activeOf(workspace: Workspace): string {
  return join(placesOf(workspace).compiled, 'active')
}
