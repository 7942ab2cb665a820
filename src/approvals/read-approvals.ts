import { readPrivateFile } from '../io/files/private-file.ts'
import { type Approval, parseApprovals } from '../rules/approval.ts'
import { ownPath } from '../worktree/layout.ts'

/** The latest approvals in a worktree. A file that another user could have written counts as empty. */
export function readApprovals({ gitDir }: { readonly gitDir: string }): Approval[] {
  return parseApprovals(readPrivateFile(approvalsPath(gitDir)) ?? '')
}

/** The path of the file of approvals. */
export function approvalsPath(gitDir: string): string {
  return ownPath({ gitDir }, 'approved.json')
}
