import { treeChanges } from '../../core/git/changes.ts'
import { isRegistryPath } from '../../core/base/governance-files.ts'
import { policyLookup } from '../commits/base-policy.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { registryParts } from '../../core/intents/registry-text.ts'
import { sortChanges } from '../../core/rules/commit-facts.ts'
import { type GovernanceChange, governanceChanges } from '../../core/rules/governance-changes.ts'
import { readBlobText, readRegistryText } from '../io/worktree/head.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

/** A change of a governance file that allows more than before. */
export type LooserFile = GovernanceChange & { readonly path: string }

/** What the governance files of one commit allow more than those of another one. */
export async function changedPolicyFiles(
  { git, blobs }: Pick<ScratchWorkspace, 'git' | 'blobs'>,
  from: string,
  to: string,
): Promise<LooserFile[]> {
  const policy = await policyLookup(blobs)(from)
  if (policy === null) return []
  const changes = await git.ask(treeChanges(from, to))
  const governance = new Set(sortChanges({ changes, policy, onlyTransitions: false }).governanceFiles)
  const registry = (await readRegistryText(blobs, from)) ?? ''
  const intents = readRegistry(registry).intents
  const found: LooserFile[] = []
  for (const { path, before, after } of changes.filter(it => governance.has(it.path))) {
    const part = isRegistryPath(path) ? registryParts(registry).find(it => it.path === path)?.text : undefined
    const oldText = before && (part ?? (await readBlobText(blobs, before.oid)))
    const newText = after && (await readBlobText(blobs, after.oid))
    for (const it of governanceChanges({ path, before: oldText, after: newText, intents }))
      if (it.effect !== 'none' && it.effect !== 'adds') found.push({ ...it, path })
  }
  return found
}
