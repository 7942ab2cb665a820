import type { Gatherer } from '../../core/git/gatherer.ts'
import { newDependencies } from '../../core/intents/contract/manifests.ts'
import type { Policy } from '../../core/intents/scope/policy.ts'
import type { CommitFacts } from '../../core/rules/commit-facts.ts'
import { manifestsToRead } from '../../core/rules/new-dependencies.ts'
import { gatherBlobText, gatherManifestsWith } from './known-manifests.ts'

type UnreadFacts = Parameters<typeof manifestsToRead>[0]

/** The policies of a commit, and the revision that it changes. */
type Before = { readonly policies: readonly (Policy | null)[]; readonly parent: string }

/** The dependencies that a commit adds where some policies want no new ones; nothing where none does. */
export function* gatherNewDependencies(
  facts: UnreadFacts,
  { policies, parent }: Before,
): Gatherer<Pick<CommitFacts, 'newDependencies'>> {
  const changes = manifestsToRead(facts, policies)
  if (changes.length === 0) return {}
  const manifests = []
  for (const { path, before, after } of changes)
    manifests.push({
      path,
      before: before && (yield* gatherBlobText(before.oid)),
      after: after && (yield* gatherBlobText(after.oid)),
    })
  const added = [...newDependencies(manifests).values()].flat()
  const others = added.length === 0 ? [] : yield* gatherManifestsWith(added, parent)
  return { newDependencies: newDependencies(manifests, others) }
}
