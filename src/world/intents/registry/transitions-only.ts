import type { PathChange } from '../../../core/git/changes.ts'
import type { Blobs } from '../../io/git/blobs.ts'
import { differOnlyByTransitions } from '../../../core/intents/lifecycle.ts'
import { isRegistryPath } from '../../../core/base/governance-files.ts'
import { readRegistryFile } from '../../../core/intents/registry.ts'

function areOnlyTransitions(path: string, before: string, after: string): boolean {
  const old = readRegistryFile({ path, text: before })
  const staged = readRegistryFile({ path, text: after })
  if (old.problems.length > 0 || staged.problems.length > 0) return false
  return differOnlyByTransitions(old.intents, staged.intents)
}

/** True for a change of the registry that has only legal transitions of intents. */
export async function isTransitionsOnly(blobs: Blobs, { path, before, after }: PathChange): Promise<boolean> {
  if (!isRegistryPath(path) || !before || !after || before.mode !== after.mode) return false
  const oldBytes = await blobs.read(before.oid)
  const newBytes = await blobs.read(after.oid)
  return (
    oldBytes !== null &&
    newBytes !== null &&
    areOnlyTransitions(path, oldBytes.toString('utf8'), newBytes.toString('utf8'))
  )
}

/** True when a commit changes files of the registry, each only by legal transitions of intents. */
export async function onlyTransitionsIn(blobs: Blobs, changes: readonly PathChange[]): Promise<boolean> {
  const ofRegistry = changes.filter(it => isRegistryPath(it.path))
  for (const it of ofRegistry) if (!(await isTransitionsOnly(blobs, it))) return false
  return ofRegistry.length > 0
}
