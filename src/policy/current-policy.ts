import { join } from 'node:path'
import { type Gatherer, listFolder, readBytes, tryAskGit } from '../git/gatherer.ts'
import { VERSION } from '../io/files/package.ts'
import { intentFilesIn, INTENTS_FOLDER, POLICY_FILES } from '../paths/governance-files.ts'
import {
  type CompiledPolicy,
  parseCompiledPolicy,
  type PolicySource,
  policyInHead,
  sourcesStamp,
} from '../scope/compiled-policy.ts'

/** Where the policy's sources are: the top of the worktree, and git's list of them in HEAD, or null to ask git. */
export type PolicySources = { readonly root: string; readonly inHead: string | null }

/** The compiled policy in a text, when this kotef compiled it and no source has changed since; else null. */
export function* currentPolicy(text: string | null, sources: PolicySources): Gatherer<CompiledPolicy | null> {
  const compiled = parseCompiledPolicy(text)
  if (compiled?.kotef !== VERSION) return null
  return (yield* policyStamp(sources)) === compiled.stamp ? compiled : null
}

/** The files that the policy is compiled from: the policy files, then those of the intents. */
export function* policySourcePaths(root: string): Gatherer<string[]> {
  return [...POLICY_FILES, ...intentFilesIn(yield* listFolder(join(root, INTENTS_FOLDER)))]
}

/**
 * The stamp of a policy's sources, as they are now. Null when a file can't be read: then no compiled policy counts as
 * current, and the program that reads the policy from its sources reports the failure.
 */
export function* policyStamp({ root, inHead }: PolicySources): Gatherer<string | null> {
  const contents: PolicySource[] = []
  try {
    for (const path of yield* policySourcePaths(root)) contents.push([path, yield* readBytes(join(root, path))])
  } catch {
    return null
  }
  return sourcesStamp(contents, inHead ?? (yield* tryAskGit(policyInHead)) ?? '')
}
