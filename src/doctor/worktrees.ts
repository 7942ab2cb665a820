import { existsSync } from 'node:fs'
import { worktrees } from '../diff/worktrees.ts'
import { toKotefError } from '../report/failure.ts'
import { openWorkspace, type Workspace } from '../workspace/workspace.ts'
import type { Complaint, Note } from './complaint.ts'

/** The worktrees of a clone: those that can be looked at, and what there is to say of the others. */
export type Clone = {
  readonly open: readonly Workspace[]
  readonly complaints: readonly Complaint[]
  readonly notes: readonly Note[]
}

/** Opens every worktree of the clone, this one first. One that is gone is no failure. */
export async function openClone(workspace: Workspace): Promise<Clone> {
  const [open, complaints, notes]: [Workspace[], Complaint[], Note[]] = [[workspace], [], []]
  for (const { path, isBare, prunable } of await workspace.git.ask(worktrees)) {
    if (isBare || path === workspace.root) continue
    if (path === workspace.commonDir) notes.push(...unknownMain(workspace))
    else if (prunable !== null || !existsSync(path)) notes.push(gone(path, prunable))
    else
      await openWorkspace(path).then(
        it => open.push(it),
        (thrown: unknown) => complaints.push(closed(path, thrown)),
      )
  }
  return { open, complaints, notes }
}

// A git directory that lies elsewhere does not say where its main worktree is; git names itself instead.
function unknownMain({ gitDir, commonDir }: Workspace): Note[] {
  if (gitDir === commonDir) return []
  const what = `git does not know where the main worktree of ${commonDir} is, so its hooks are not proved`
  return [{ what, fix: 'Run `kotef doctor` there' }]
}

function gone(path: string, prunable: string | null): Note {
  const fix = prunable === null ? null : 'Forget it: `git worktree prune`'
  return { what: `the worktree ${path} is not there, so its hooks are not proved`, fix }
}

function closed(path: string, thrown: unknown): Complaint {
  const { message, hint } = toKotefError(thrown)
  return { what: `the worktree ${path} can't be opened: ${message}`, fix: hint }
}
