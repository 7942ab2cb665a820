import { readPrivateFile } from '../io/files/private-file.ts'
import type { Gatherer } from '../../core/git/gatherer.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'
import { type Approval, formatApprovals, parseApprovals, recordedApprovals } from '../../core/rules/approval.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { ownPath } from '../io/worktree/layout.ts'

/** Gathers the latest approvals in a worktree, as far as its ledger has them. `root` is empty in a hook. */
export function* gatherApprovals(place: { readonly root: string; readonly gitDir: string }): Gatherer<Approval[]> {
  const saved = savedApprovals(place)
  return saved.length === 0 ? [] : recordedApprovals(saved, yield* readLedgerEnd(place))
}

// A file that another user could have written counts as empty.
function savedApprovals({ gitDir }: { readonly gitDir: string }): Approval[] {
  return parseApprovals(readPrivateFile(approvalsPath(gitDir)) ?? '')
}

/** Keeps an approval for the commit that is about to be made. The ledger must say already why it is one. */
export async function saveApproval(
  { gitDir, files, clock }: Pick<Workspace, 'gitDir' | 'files' | 'clock'>,
  approval: Omit<Approval, 'at'>,
): Promise<void> {
  const at = new Date(clock.now()).toISOString()
  const approvals = [...savedApprovals({ gitDir }), { ...approval, at }]
  await files.replace(approvalsPath(gitDir), formatApprovals(approvals), 0o600)
}

/** The path of the file of approvals. */
function approvalsPath(gitDir: string): string {
  return ownPath({ gitDir }, 'approved.json')
}
