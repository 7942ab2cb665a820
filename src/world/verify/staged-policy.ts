import type { Finding } from '../../core/base/finding.ts'
import type { Intent } from '../../core/intents/intent.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { mergeBase } from '../../core/git/revisions.ts'
import { registryParts, registryText } from '../../core/intents/registry-text.ts'
import { type Blobs, openBlobs } from '../io/git/blobs.ts'
import { isRegistryPath, REGISTRY_PATH } from '../../core/base/governance-files.ts'
import { changesByMerge, clashingIds } from '../../core/rules/merged-registry.ts'
import {
  policyFlaw,
  policyFlawFinding,
  removedRegistryFinding,
  unreadLinesFinding,
} from '../../core/rules/policy-flaw.ts'
import { clashFinding, governanceFinding } from '../../core/rules/range-rules.ts'
import { readBlobText, readRegistryText } from '../io/worktree/head.ts'
import { policyPathsAt } from './policy-tip.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** Staged policy files, each a path and a blob oid (empty: removed), and the other sides of a merge. */
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
    if (path === REGISTRY_PATH || oid === '') continue
    const text = (await readBlobText(blobs, oid)) ?? ''
    const flaw = policyFlaw(path, text)
    const finding = flaw === null ? unreadLinesFinding(path, text) : policyFlawFinding(path, flaw, null)
    if (finding) findings.push(finding)
  }
  // A file that is damaged by itself has its finding already.
  if (staged.some(it => isRegistryPath(it[0])) && !findings.some(it => isRegistryPath(it.path ?? ''))) {
    const isRemoved = staged.some(([path, oid]) => path === REGISTRY_PATH && oid === '')
    const flaw = isRemoved ? null : policyFlaw(REGISTRY_PATH, await stagedRegistry(blobs, staged))
    if (flaw !== null) findings.push(policyFlawFinding(REGISTRY_PATH, flaw, null))
    const removed = isRemoved ? removedRegistryFinding(await stagedPaths(git, staged), null) : null
    if (removed) findings.push(removed)
  }
  const merge = await registriesOfMerge({ git, blobs }, { blobs: staged, sides })
  return merge ? [...clashingIds(merge).map(it => clashFinding(it, { isMerging: true })), ...findings] : findings
}

/** What the registry of a merge without a reason would allow more than both its sides. */
export async function judgeStagedMerge({ root, git }: Workspace, staged: StagedPolicy): Promise<Finding[]> {
  await using blobs = openBlobs(root)
  const merge = await registriesOfMerge({ git, blobs }, staged)
  if (!merge) return []
  const { intents: merged } = readRegistry(await stagedRegistry(blobs, staged.blobs))
  const known = { isStrict: false, approval: null, signature: null, isAgents: false, isSilentMerge: true }
  return changesByMerge({ ...merge, merged }).map(it => governanceFinding(REGISTRY_PATH, it, known))
}

async function stagedPaths(git: Workspace['git'], staged: StagedPolicy['blobs']): Promise<string[]> {
  const kept = await git.ask(policyPathsAt('HEAD'))
  const added = staged.flatMap(([path, oid]) => (oid === '' ? [] : [path]))
  return [...kept.filter(it => !staged.some(([path]) => path === it)), ...added]
}

type Place = Pick<Workspace, 'git'> & { readonly blobs: Blobs }

async function registriesOfMerge({ git, blobs }: Place, { sides: [side] }: StagedPolicy) {
  const base = side === undefined ? null : await git.tryAsk(mergeBase('HEAD', side))
  if (side === undefined || base === null) return null
  const intentsAt = async (commit: string): Promise<readonly Intent[]> =>
    readRegistry((await readRegistryText(blobs, commit)) ?? '').intents
  return { base: await intentsAt(base), sides: [await intentsAt('HEAD'), await intentsAt(side)] }
}

// Git commits some paths from an index of its own, so what is staged is what the hook says.
async function stagedRegistry(blobs: Blobs, staged: StagedPolicy['blobs']): Promise<string> {
  const oids = new Map(staged)
  const before = registryParts((await readRegistryText(blobs, 'HEAD')) ?? '')
  const kept = before.filter(it => !oids.has(it.path))
  const changed = staged.filter(([path, oid]) => oid !== '' && isRegistryPath(path))
  const read = changed.map(async ([path, oid]) => ({ path, text: (await readBlobText(blobs, oid)) ?? '' }))
  const parts = [...kept, ...(await Promise.all(read))]
  const list = parts.find(it => it.path === REGISTRY_PATH)
  return registryText(
    list?.text ?? '',
    parts.filter(it => it !== list),
  )
}
