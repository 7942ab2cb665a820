import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../io/process/run.ts'
import { withoutRepositoryEnv } from '../io/git/run-git.ts'
import { POLICY_FILES } from '../paths/governance-files.ts'
import { sourceLinkName } from '../scope/compiled-policy.ts'
import { type ClosedFastPath, fastPathOf } from '../policy/fast-path.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DoctorNote } from './doctor-problem.ts'

/** Why must Node judge each commit here? Empty when the fast path is open. */
export async function fastPathNotes(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<DoctorNote[]> {
  const sessions = await liveSessions(workspace)
  // The trial runs in the system's temporary folder: the doctor writes nothing into the repository.
  const path = await fastPathOf(workspace, { policy: await loadPolicy(workspace), sessions, trialsIn: tmpdir() })
  const closed = 'closed' in path ? path : await closedByFileSystem(workspace, env)
  return closed ? [{ message: `no commit can take the fast path here: ${closed.closed}`, hint: closed.fix }] : []
}

async function closedByFileSystem(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<ClosedFastPath | null> {
  if (await lacksHardLinks(workspace)) {
    return { closed: "this disk can't make a hard link to a file of this worktree", fix: null }
  }
  if ((await workspace.files.modifiedAt(fastPathFilePath(workspace))) === null) return null
  if (!(await isWritableByOthers(workspace, env))) return null
  return { closed: `others can write in ${layoutOf(workspace).compiled}`, fix: 'Close it: `kotef doctor --fix`' }
}

// Compiling links each policy file, so a file older than the compiled policy has a link if the disk can make one.
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

// The hooks check the permissions by a shell function, so the doctor runs that function.
async function isWritableByOthers(workspace: Workspace, env: NodeJS.ProcessEnv): Promise<boolean> {
  const script = 'kotef=$1 hook=doctor; . "$kotef/common.sh"; command -v modes || exit 1; private "$(modes)" || exit 9'
  const words = ['-c', script, 'sh', layoutOf(workspace).shared]
  const environment = { ...withoutRepositoryEnv(env), GIT_DIR: workspace.gitDir, KOTEF: '', KOTEF_PROBE: '' }
  return (await runProgram('sh', words, { cwd: workspace.root, env: environment })).exit === 9
}

function fastPathFilePath(workspace: Workspace): string {
  return join(layoutOf(workspace).compiled, 'active')
}
