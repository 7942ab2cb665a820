import { existsSync } from 'node:fs'
import { worktreeList } from '../git/worktrees.ts'
import { toKotefError } from '../findings/failure.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'

/** The worktrees of a clone that can be opened, and what is known of the others. */
export type OpenedWorktrees = {
  readonly open: readonly Workspace[]
  readonly complaints: readonly DoctorProblem[]
  readonly notes: readonly DoctorNote[]
}

/** Opens all worktrees of the clone, this one first. A missing worktree is a note, not an error. */
export async function openWorktrees(workspace: Workspace): Promise<OpenedWorktrees> {
  const [open, complaints, notes]: [Workspace[], DoctorProblem[], DoctorNote[]] = [[workspace], [], []]
  for (const { path, isBare, prunable } of await workspace.git.ask(worktreeList)) {
    if (isBare || path === workspace.root) continue
    if (path === workspace.commonDir) notes.push(...unknownMainNote(workspace))
    else if (prunable !== null || !existsSync(path)) notes.push(missingWorktreeNote(path, prunable))
    else
      await openWorkspace(path).then(
        it => open.push(it),
        (thrown: unknown) => complaints.push(unopenedWorktreeProblem(path, thrown)),
      )
  }
  return { open, complaints, notes }
}

// Git lists the git directory in place of a main worktree whose git directory lies elsewhere (--separate-git-dir).
function unknownMainNote({ gitDir, commonDir }: Workspace): DoctorNote[] {
  if (gitDir === commonDir) return []
  const message = `git does not know where the main worktree of ${commonDir} is, so its hooks are not tested`
  return [{ message, hint: 'Run `kotef doctor` there' }]
}

function missingWorktreeNote(path: string, prunable: string | null): DoctorNote {
  const hint = prunable === null ? null : 'Remove it from git: `git worktree prune`'
  return { message: `the worktree ${path} does not exist, so its hooks are not tested`, hint }
}

function unopenedWorktreeProblem(path: string, thrown: unknown): DoctorProblem {
  const { message, hint } = toKotefError(thrown)
  return { message: `the worktree ${path} can't be opened: ${message}`, hint }
}
