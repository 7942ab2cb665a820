import { readPrivateFile } from '../io/files/private-file.ts'
import { type Approval, parseApprovals } from '../rules/approval.ts'
import { ownPath } from '../worktree/layout.ts'

/** What was approved lately in the worktree that has this git directory. What others could have written is nothing. */
export function readApprovals({ gitDir }: { readonly gitDir: string }): Approval[] {
  return parseApprovals(readPrivateFile(approvalsPath(gitDir)) ?? '')
}

/** Where it is written down what was approved. */
export function approvalsPath(gitDir: string): string {
  return ownPath({ gitDir }, 'approved.json')
}
