import { join } from 'node:path'
import { type Gatherer, listFolder, readBytes, tryAskGit } from '../../../core/git/gatherer.ts'
import { VERSION } from '../../io/files/package.ts'
import { intentFilesIn, INTENTS_FOLDER, POLICY_FILES } from '../../../core/base/governance-files.ts'
import {
  type CompiledPolicy,
  parseCompiledPolicy,
  type PolicySource,
  policyInHead,
  sourcesStamp,
} from '../../../core/intents/scope/compiled-policy.ts'

/** Where the policy's files are: the top of the worktree, and git's list of them in HEAD, or null to ask git. */
type PolicyPlace = { readonly root: string; readonly inHead: string | null }

/** The compiled policy in a text, when this kotef compiled it and no source has changed since; else null. */
export function* currentPolicy(text: string | null, place: PolicyPlace): Gatherer<CompiledPolicy | null> {
  return parseCompiledPolicy(text)?.kotef === VERSION ? compiledFrom(text, yield* policyFiles(place)) : null
}

/** The compiled policy in a text, when this kotef compiled it from these files; else null. */
export function compiledFrom(text: string | null, files: PolicyFiles | null): CompiledPolicy | null {
  const compiled = parseCompiledPolicy(text)
  if (compiled?.kotef !== VERSION || files === null) return null
  return sourcesStamp(files.contents, files.inHead) === compiled.stamp ? compiled : null
}

/** The files that the policy is compiled from: the policy files, then those of the intents. */
export function* policySourcePaths(root: string): Gatherer<string[]> {
  return [...POLICY_FILES, ...intentFilesIn(yield* listFolder(join(root, INTENTS_FOLDER)))]
}

/** The policy's files as they were read, and git's list of them in HEAD. */
export type PolicyFiles = { readonly contents: readonly PolicySource[]; readonly inHead: string }

/**
 * The policy's files, as they are now. Null when one can't be read: then no compiled policy counts as current, and the
 * program that reads the policy from its sources reports the failure.
 */
export function* policyFiles({ root, inHead }: PolicyPlace): Gatherer<PolicyFiles | null> {
  const contents: PolicySource[] = []
  try {
    for (const path of yield* policySourcePaths(root)) contents.push([path, yield* readBytes(join(root, path))])
  } catch {
    return null
  }
  return { contents, inHead: inHead ?? (yield* tryAskGit(policyInHead)) ?? '' }
}
