import { openBlobs } from '../io/git/blobs.ts'
import type { ContinuityBreak } from '../ledger/continuity.ts'
import type { Finding } from '../findings/finding.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Changes of content between two records that neither the ledger nor git knows of. What git knows, git brought. */
export async function untracedChanges(workspace: Workspace, breaks: readonly ContinuityBreak[]): Promise<Finding[]> {
  await using blobs = openBlobs(workspace.root)
  const findings: Finding[] = []
  for (const { path, line, before } of breaks) {
    if (before === null || (await blobs.read(before)) !== null) continue
    findings.push({
      rule: 'untraced-change',
      level: 'review',
      path,
      message: `Line ${line}: ${path} had changed before this write, and no record says how`,
      hint: `See what is known with \`kotef trace --file ${path}\``,
    })
  }
  return findings
}
