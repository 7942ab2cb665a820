import { mergedCommits } from '../commits/git-operation.ts'
import type { Finding } from '../findings/finding.ts'
import { stagedChanges } from '../git/changes.ts'
import { isPolicyFile, isRegistryPath } from '../paths/governance-files.ts'
import { asEnforced } from '../rules/apply-rules.ts'
import type { CommitFacts } from '../rules/commit-facts.ts'
import { gatherHere, tryAskGitSync } from './gather-here.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'

/** The findings of staged policy files that nobody could read, and of ids that a merge gives two meanings. */
export function stagedPolicyFindings(context: HookContext): Finding[] {
  return askAboutPolicy(context, 'staged-policy', isPolicyFile)
}

/** The findings of a merge that allows more than both its sides, with nobody's reason in its message. */
export function silentMergeFindings(context: HookContext, { conflicted, governance, policy }: CommitFacts): Finding[] {
  if (conflicted === null || governance !== null) return []
  return asEnforced(askAboutPolicy(context, 'staged-merge', isRegistryPath), policy)
}

function askAboutPolicy(context: HookContext, question: string, isOfIt: (path: string) => boolean): Finding[] {
  const changes = tryAskGitSync(stagedChanges('HEAD')) ?? []
  const blobs = changes.flatMap(({ path, after }) => (isOfIt(path) ? [[path, after?.oid ?? '']] : []))
  if (blobs.length === 0) return []
  const sides = gatherHere(mergedCommits(context))
  return askYamlHelper<{ findings: Finding[] }>(context, [question], JSON.stringify({ blobs, sides })).findings
}
