import { join } from 'node:path'
import { readPrivate } from '../io/private-file.ts'
import { type Approval, approvalsIn } from '../rules/approval.ts'

/** What was approved lately in the worktree that has this git directory. What others could have written is nothing. */
export function approvalsOf({ gitDir }: { readonly gitDir: string }): Approval[] {
  return approvalsIn(readPrivate(approvedPath(gitDir)) ?? '')
}

/** Where it is written down what was approved. */
export function approvedPath(gitDir: string): string {
  return join(gitDir, 'kotef/approved.json')
}
