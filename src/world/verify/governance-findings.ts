import type { Commit } from '../../core/git/trailers/commits.ts'
import type { Finding } from '../../core/base/finding.ts'
import type { Intent } from '../../core/intents/intent.ts'
import { registryParts } from '../../core/intents/registry-text.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { mergeBase } from '../../core/git/revisions.ts'
import { isRegistryPath, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { type Approval, approvalOf, governanceFilesIn, isApprovedAnywhere } from '../../core/rules/approval.ts'
import { sortChanges } from '../../core/rules/commit-facts.ts'
import { governanceChanges } from '../../core/rules/governance-changes.ts'
import { changesByMerge, clashingIds } from '../../core/rules/merged-registry.ts'
import { clashFinding, governanceFinding } from '../../core/rules/range-rules.ts'
import { type BasePolicies, type BasePolicy, lastReadableRegistry } from '../commits/base-policy.ts'
import type { JudgedCommit } from '../commits/judge-commits.ts'
import { lessonsFactOf } from '../lessons/lessons-change.ts'
import { isTransitionsOnly } from '../intents/registry/transitions-only.ts'
import { readBlobText, readRegistryText } from '../io/worktree/head.ts'
import type { SignatureLookup } from './rule-signatures.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

/** The base policies of a range, and the approvals that the ledger has. */
export type GovernanceFacts = {
  readonly basePolicies: BasePolicies
  readonly approvals: readonly Approval[]
  /** True when the ledger or the note of a commit has lines of a change that an agent wrote; false without a ledger. */
  readonly isByAgent: (commit: string, change: PathChange) => Promise<boolean>
  readonly signatureOf: SignatureLookup
}

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
  { oid, changes, parents, governance }: Commit,
  { base, approvals, inherited, ...facts }: CommitGovernance,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const registryBefore = () => readableRegistry(blobs, parents[0] ?? '')
  const ofSources = new Set(inherited.flatMap(it => it.changes.map(change => change.path)))
  const sortable = { changes, policy: base.policy, onlyTransitions: false, ...(await lessonsFactOf(blobs, changes)) }
  const { settings } = sortChanges(sortable)
  for (const change of governanceFilesIn(sortable)) {
    // Without the trailer another rule blocks already, unless the commit takes back what another one changed.
    const isPermitted = governance !== null || ofSources.has(change.path) || settings.includes(change.path)
    if (!isPermitted) continue
    const { path, before, after } = change
    if (await isTransitionsOnly(blobs, change)) continue
    const whole = isRegistryPath(path) ? await registryBefore() : null
    const oldText = before && (partOf(whole, path) ?? (await readBlobText(blobs, before.oid)))
    const newText = after && (await readBlobText(blobs, after.oid))
    const isStrict = base.config.verify.governance === 'strict'
    const known = {
      isStrict,
      approval: approvalOf(change, parents[0] ?? null, approvals),
      signature: isStrict ? await facts.signatureOf(oid, base) : null,
      isAgents: !isApprovedAnywhere(change, approvals) && (await facts.isByAgent(oid, change)),
      isSilentMerge: false,
    }
    const intents = whole === null ? [] : readRegistry(whole).intents
    const found = governanceChanges({ path, before: oldText, after: newText, intents })
    for (const each of found.map(it => governanceFinding(path, it, known))) findings.push(each)
  }
  return findings
}

async function readableRegistry(blobs: ScratchWorkspace['blobs'], commit: string): Promise<string | null> {
  const text = await readRegistryText(blobs, commit)
  return text && (await lastReadableRegistry(blobs, commit, text))
}

function partOf(registry: string | null, path: string): string | null {
  return registryParts(registry ?? '').find(it => registry !== null && it.path === path)?.text ?? null
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
    approval: null,
    signature: null,
    isAgents: false,
    isSilentMerge: commit.governance === null,
  }
  return [
    ...clashingIds(merge).map(it => clashFinding(it)),
    ...changesByMerge(merge).map(it => governanceFinding(REGISTRY_PATH, it, known)),
  ]
}

// A registry that nobody can read has a finding of its own. Most merges leave every parent's registry as it is.
async function registriesOf({ git, blobs }: ScratchWorkspace, { oid, parents }: Commit) {
  const textAt = (commit: string) => readRegistryText(blobs, commit)
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
