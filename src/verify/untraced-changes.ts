import { openBlobs } from '../io/git/blobs.ts'
import type { ContinuityBreak } from '../ledger/continuity.ts'
import type { Finding } from '../findings/finding.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Finds content between two records that neither the ledger nor git has. Content that git has came from git. */
export async function untracedChanges(workspace: Workspace, breaks: readonly ContinuityBreak[]): Promise<Finding[]> {
  await using blobs = openBlobs(workspace.root)
  const findings: Finding[] = []
  for (const { path, line, before } of breaks) {
    if (before === null || (await blobs.read(before)) !== null) continue
    findings.push({
      rule: 'untraced-change',
      level: 'review',
      path,
      message: `Line ${line}: ${path} changed before this write, and no record has the change`,
      hint: `See what is known with \`kotef trace --file ${path}\``,
    })
  }
  return findings
}
