import { mergedCommits } from '../commits/git-operation.ts'
import type { Finding } from '../findings/finding.ts'
import { stagedChanges } from '../git/changes.ts'
import { isPolicyFile } from '../paths/governance-files.ts'
import { gatherHere, tryAskGitSync } from './gather-here.ts'
import { askYamlHelper, type HookContext } from './hook-context.ts'

/** The findings of staged policy files that nobody could read, and of ids that a merge gives two meanings. */
export function stagedPolicyFindings(context: HookContext): Finding[] {
  const changes = tryAskGitSync(stagedChanges('HEAD')) ?? []
  const blobs = changes.flatMap(({ path, after }) => (isPolicyFile(path) ? [[path, after?.oid ?? '']] : []))
  if (blobs.length === 0) return []
  const sides = gatherHere(mergedCommits(context))
  return askYamlHelper<{ findings: Finding[] }>(context, ['staged-policy'], JSON.stringify({ blobs, sides })).findings
}
