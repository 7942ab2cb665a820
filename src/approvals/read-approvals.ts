import { readPrivateFile } from '../io/files/private-file.ts'
import { type Approval, formatApprovals, parseApprovals } from '../rules/approval.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { ownPath } from '../worktree/layout.ts'

/** The latest approvals in a worktree. A file that another user could have written counts as empty. */
export function readApprovals({ gitDir }: { readonly gitDir: string }): Approval[] {
  return parseApprovals(readPrivateFile(approvalsPath(gitDir)) ?? '')
}

/** Keeps an approval for the commit that is about to be made. The ledger must say already why it is one. */
export async function saveApproval(
  { gitDir, files, clock }: Pick<Workspace, 'gitDir' | 'files' | 'clock'>,
  approval: Omit<Approval, 'at'>,
): Promise<void> {
  const at = new Date(clock.now()).toISOString()
  const approvals = [...readApprovals({ gitDir }), { ...approval, at }]
  await files.replace(approvalsPath(gitDir), formatApprovals(approvals), 0o600)
}

/** The path of the file of approvals. */
function approvalsPath(gitDir: string): string {
  return ownPath({ gitDir }, 'approved.json')
}
