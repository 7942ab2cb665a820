import { existsSync } from 'node:fs'
import { worktreeList } from '../git/worktrees.ts'
import { toKotefError } from '../findings/failure.ts'
import { openWorkspace, type Workspace } from '../worktree/workspace.ts'
import type { DoctorProblem, DoctorNote } from './doctor-problem.ts'

/** The worktrees of a clone: those that can be looked at, and what there is to say of the others. */
export type OpenedWorktrees = {
  readonly open: readonly Workspace[]
  readonly complaints: readonly DoctorProblem[]
  readonly notes: readonly DoctorNote[]
}

/** Opens every worktree of the clone, this one first. One that is gone is no failure. */
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

// A git directory that lies elsewhere does not say where its main worktree is; git names itself instead.
function unknownMainNote({ gitDir, commonDir }: Workspace): DoctorNote[] {
  if (gitDir === commonDir) return []
  const what = `git does not know where the main worktree of ${commonDir} is, so its hooks are not proved`
  return [{ what, fix: 'Run `kotef doctor` there' }]
}

function missingWorktreeNote(path: string, prunable: string | null): DoctorNote {
  const fix = prunable === null ? null : 'Forget it: `git worktree prune`'
  return { what: `the worktree ${path} is not there, so its hooks are not proved`, fix }
}

function unopenedWorktreeProblem(path: string, thrown: unknown): DoctorProblem {
  const { message, hint } = toKotefError(thrown)
  return { what: `the worktree ${path} can't be opened: ${message}`, fix: hint }
}
