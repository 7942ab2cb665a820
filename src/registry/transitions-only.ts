import type { GitQuery } from '../git/query.ts'
import type { PathChange } from '../git/changes.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { differOnlyByTransitions } from '../intents/lifecycle.ts'
import { isRegistryPath } from '../paths/governance-files.ts'
import { readRegistryFile } from '../intents/registry.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The contents of a file of the registry before and after a change, as blob oids. */
type RegistryBlobs = { readonly path: string; readonly before: string; readonly after: string }

/** True when a file of the registry changed only by legal transitions of intents. */
export async function hasOnlyTransitions({ git }: Workspace, { path, before, after }: RegistryBlobs): Promise<boolean> {
  return areOnlyTransitions(path, await git.ask(blobTextQuery(before)), await git.ask(blobTextQuery(after)))
}

function areOnlyTransitions(path: string, before: string, after: string): boolean {
  const [old, staged] = [readRegistryFile({ path, text: before }), readRegistryFile({ path, text: after })]
  if (old.problems.length > 0 || staged.problems.length > 0) return false
  return differOnlyByTransitions(old.intents, staged.intents)
}

/** True for a change of the registry that has only legal transitions of intents. */
export async function isTransitionsOnly(blobs: Blobs, { path, before, after }: PathChange): Promise<boolean> {
  if (!isRegistryPath(path) || !before || !after || before.mode !== after.mode) return false
  const [oldBytes, newBytes] = [await blobs.read(before.oid), await blobs.read(after.oid)]
  return (
    oldBytes !== null &&
    newBytes !== null &&
    areOnlyTransitions(path, oldBytes.toString('utf8'), newBytes.toString('utf8'))
  )
}

function blobTextQuery(oid: string): GitQuery<string> {
  return { args: ['cat-file', 'blob', oid], parse: out => out }
}

/** True when a commit changes files of the registry, each only by legal transitions of intents. */
export async function onlyTransitionsIn(blobs: Blobs, changes: readonly PathChange[]): Promise<boolean> {
  const ofRegistry = changes.filter(it => isRegistryPath(it.path))
  for (const it of ofRegistry) if (!(await isTransitionsOnly(blobs, it))) return false
  return ofRegistry.length > 0
}
