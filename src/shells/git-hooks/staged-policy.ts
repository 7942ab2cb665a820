import { mergedCommits } from '../../core/git/git-operation.ts'
import type { Finding } from '../../core/base/finding.ts'
import { stagedChanges } from '../../core/git/changes.ts'
import { isPolicyFile, isRegistryPath } from '../../core/base/governance-files.ts'
import { asEnforced } from '../../core/rules/apply-rules.ts'
import type { CommitFacts } from '../../core/rules/commit-facts.ts'
import { gatherHere, tryAskGitSync } from './gather-here.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'

/** The findings of staged policy files that nobody could read, and of ids that a merge gives two meanings. */
export function stagedPolicyFindings(context: HookContext): Promise<Finding[]> {
  return askAboutPolicy(context, 'staged-policy', isPolicyFile)
}

/** The findings of a merge that allows more than both its sides, with nobody's reason in its message. */
export async function silentMergeFindings(
  context: HookContext,
  { conflicted, governance, policy }: CommitFacts,
): Promise<Finding[]> {
  if (conflicted === null || governance !== null) return []
  return asEnforced(await askAboutPolicy(context, 'staged-merge', isRegistryPath), policy)
}

async function askAboutPolicy(
  context: HookContext,
  question: 'staged-policy' | 'staged-merge',
  isOfIt: (path: string) => boolean,
): Promise<Finding[]> {
  const changes = tryAskGitSync(stagedChanges('HEAD')) ?? []
  const blobs = changes.flatMap(({ path, after }) => (isOfIt(path) ? [[path, after?.oid ?? ''] as const] : []))
  if (blobs.length === 0) return []
  const sides = gatherHere(mergedCommits(context))
  return askYamlHelper(context, question, { blobs, sides })
}
