import type { Finding } from '../findings/finding.ts'
import type { Intent } from '../intents/intent.ts'
import { readRegistry } from '../intents/registry.ts'
import { mergeBase } from '../git/revisions.ts'
import { openBlobs } from '../io/git/blobs.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { clashingIds } from '../rules/merged-registry.ts'
import { policyFlaw, policyFlawFinding } from '../rules/policy-flaw.ts'
import { clashFinding } from '../rules/range-rules.ts'
import { readBlobText } from '../worktree/head.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Policy files that are about to be committed, each a path and a blob oid, and the other sides of a merge. */
export type StagedPolicy = {
  readonly blobs: readonly (readonly [path: string, oid: string])[]
  readonly sides: readonly string[]
}

/** What a commit would leave unreadable, and the ids to which a merge would give two meanings. */
export async function judgeStagedPolicy(
  { root, git }: Workspace,
  { blobs: staged, sides }: StagedPolicy,
): Promise<Finding[]> {
  await using blobs = openBlobs(root)
  const findings: Finding[] = []
  for (const [path, oid] of staged) {
    const flaw = policyFlaw(path, (await readBlobText(blobs, oid)) ?? '')
    if (flaw !== null) findings.push(policyFlawFinding(path, flaw, null))
  }
  const [side] = sides
  const base = side === undefined ? null : await git.tryAsk(mergeBase('HEAD', side))
  if (side === undefined || base === null) return findings
  const intentsAt = async (commit: string): Promise<readonly Intent[]> =>
    readRegistry((await readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)) ?? '').intents
  const registries = { base: await intentsAt(base), sides: [await intentsAt('HEAD'), await intentsAt(side)] }
  return [...clashingIds(registries).map(it => clashFinding(it)), ...findings]
}
