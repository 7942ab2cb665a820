import type { Commit } from '../trailers/commits.ts'
import type { Finding } from '../findings/finding.ts'
import type { Intent } from '../intents/intent.ts'
import { readRegistry } from '../intents/registry.ts'
import { mergeBase } from '../git/revisions.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { type Approval, governanceFilesIn, isApproved } from '../rules/approval.ts'
import { governanceChanges } from '../rules/governance-changes.ts'
import { changesByMerge, clashingIds } from '../rules/merged-registry.ts'
import { clashFinding, governanceFinding } from '../rules/range-rules.ts'
import { type BasePolicies, type BasePolicy, lastReadableRegistry } from '../commits/base-policy.ts'
import type { JudgedCommit } from '../commits/judge-commits.ts'
import { isTransitionsOnly } from '../registry/transitions-only.ts'
import { readBlobText } from '../worktree/head.ts'
import type { ScratchWorkspace } from './judge-range.ts'

/** The base policies of a range, and the approvals that the ledger has. */
export type GovernanceFacts = { readonly basePolicies: BasePolicies; readonly approvals: readonly Approval[] }

type CommitGovernance = Omit<GovernanceFacts, 'basePolicies'> & Pick<JudgedCommit, 'inherited'> & { base: BasePolicy }

/** The findings of a commit's changes of governance files. The commits of a merged side have findings of their own. */
export async function governanceFindings(
  workspace: ScratchWorkspace,
  commit: Commit,
  facts: CommitGovernance,
): Promise<Finding[]> {
  return commit.parents.length > 1 ? mergeFindings(workspace, commit, facts) : changeFindings(workspace, commit, facts)
}

async function changeFindings(
  { blobs }: ScratchWorkspace,
  { changes, parents, governance }: Commit,
  { base, approvals, inherited }: CommitGovernance,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const ofSources = new Set(inherited.flatMap(it => it.changes.map(change => change.path)))
  for (const change of governanceFilesIn({ changes, policy: base.policy, onlyTransitions: false })) {
    // Without the trailer another rule blocks already, unless the commit takes back what another one changed.
    if (governance === null && !ofSources.has(change.path)) continue
    const { path, before, after } = change
    if (await isTransitionsOnly(blobs, change)) continue
    const text = before && (await readBlobText(blobs, before.oid))
    const oldText = text && path === REGISTRY_PATH ? await lastReadableRegistry(blobs, parents[0] ?? '', text) : text
    const newText = after && (await readBlobText(blobs, after.oid))
    const known = {
      isStrict: base.config.verify.governance === 'strict',
      isApproved: isApproved(change, parents[0] ?? null, approvals),
      isSilentMerge: false,
    }
    const found = governanceChanges({ path, before: oldText, after: newText })
    for (const each of found.map(it => governanceFinding(path, it, known))) findings.push(each)
  }
  return findings
}

async function mergeFindings(
  workspace: ScratchWorkspace,
  commit: Commit,
  { base }: CommitGovernance,
): Promise<Finding[]> {
  const merge = await registriesOf(workspace, commit)
  if (!merge) return []
  const known = {
    isStrict: base.config.verify.governance === 'strict',
    isApproved: false,
    isSilentMerge: commit.governance === null,
  }
  return [
    ...clashingIds(merge).map(it => clashFinding(it)),
    ...changesByMerge(merge).map(it => governanceFinding(REGISTRY_PATH, it, known)),
  ]
}

// A registry that nobody can read has a finding of its own. Most merges leave every parent's registry as it is.
async function registriesOf({ git, blobs }: ScratchWorkspace, { oid, parents }: Commit) {
  const textAt = (commit: string) => readBlobText(blobs, `${commit}:${REGISTRY_PATH}`)
  const [text = null, ...others] = await Promise.all([oid, ...parents].map(textAt))
  const merged = readableIntents(text)
  if (!merged || others.every(it => it === text)) return null
  const [ours = '', theirs = '', ...more] = parents
  const ancestor = more.length === 0 ? await git.tryAsk(mergeBase(ours, theirs)) : null
  const base = ancestor === null ? null : readableIntents(await textAt(ancestor))
  return { base: base ?? [], sides: others.map(readableIntents).filter(it => it !== null), merged }
}

function readableIntents(text: string | null): readonly Intent[] | null {
  const { intents, problems } = readRegistry(text ?? '')
  return problems.length === 0 ? intents : null
}
