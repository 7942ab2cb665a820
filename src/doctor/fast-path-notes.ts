import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../io/process/run.ts'
import { withoutRepositoryEnv } from '../io/git/git-env.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { sourceLinkName } from '../scope/compiled-policy.ts'
import { type ClosedFastPath, fastPathOf } from '../policy/fast-path.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorNote } from './doctor-problem.ts'

/** Why a commit here is judged in full, which takes longer; nothing when the shell alone can tell that it is fine. */
export async function fastPathNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const sessions = await liveSessions(workspace)
  // Nothing is written into the repository by looking at it.
  const path = await fastPathOf(workspace, { policy: await loadPolicy(workspace), sessions, trialsIn: tmpdir() })
  const closed = 'closed' in path ? path : await closedByFileSystem(workspace, env)
  return closed ? [{ what: `every commit takes the longer way here: ${closed.closed}`, fix: closed.fix }] : []
}

async function closedByFileSystem(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<ClosedFastPath | null> {
  if (await lacksHardLinks(workspace)) {
    return { closed: 'the disk gives no second name (hard link) to a file of this worktree', fix: null }
  }
  if ((await workspace.files.modifiedAt(fastPathFilePath(workspace))) === null) return null
  if (!(await isWritableByOthers(workspace, env))) return null
  return { closed: `others could write in ${layoutOf(workspace).compiled}`, fix: 'Close it: `kotef doctor --fix`' }
}

// Whatever is older than what was compiled was linked then, if the disk can.
async function lacksHardLinks({ files, ...workspace }: Workspace): Promise<boolean> {
  const { compiled } = layoutOf(workspace)
  const compiledAt = await files.modifiedAt(join(compiled, 'state.json'))
  const lacking = POLICY_FILES.map(async (path, n) => {
    const writtenAt = await files.modifiedAt(join(workspace.root, path))
    if (writtenAt === null || compiledAt === null || writtenAt > compiledAt) return false
    return (await files.modifiedAt(join(compiled, sourceLinkName(n)))) === null
  })
  return (await Promise.all(lacking)).some(Boolean)
}

// Only a shell can say how the shell of the hooks sees it.
async function isWritableByOthers(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<boolean> {
  const script = 'kotef=$1 hook=doctor; . "$kotef/common.sh"; command -v modes || exit 1; private "$(modes)" || exit 9'
  const words = ['-c', script, 'sh', layoutOf(workspace).shared]
  const environment = { ...withoutRepositoryEnv(env), GIT_DIR: workspace.gitDir, KOTEF: '', KOTEF_PROBE: '' }
  return (await runProgram('sh', words, { cwd: workspace.root, env: environment })).exit === 9
}

function fastPathFilePath(workspace: Workspace): string {
  return join(layoutOf(workspace).compiled, 'active')
}
