import type { GitQuery } from '../git/query.ts'
import type { PathChange } from '../git/changes.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { differOnlyByTransitions } from '../intents/lifecycle.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { readRegistry } from '../intents/registry.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** True when two registries, given as blob oids, differ only by legal transitions of intents. */
export async function hasOnlyTransitions({ git }: Workspace, before: string, after: string): Promise<boolean> {
  return areOnlyTransitions(await git.ask(blobTextQuery(before)), await git.ask(blobTextQuery(after)))
}

function areOnlyTransitions(before: string, after: string): boolean {
  const [old, staged] = [readRegistry(before), readRegistry(after)]
  if (old.problems.length > 0 || staged.problems.length > 0) return false
  return differOnlyByTransitions(old.intents, staged.intents)
}

/** True for a change of the registry that has only legal transitions of intents. */
export async function isTransitionsOnly(blobs: Blobs, { path, before, after }: PathChange): Promise<boolean> {
  if (path !== REGISTRY_PATH || !before || !after || before.mode !== after.mode) return false
  const [oldBytes, newBytes] = [await blobs.read(before.oid), await blobs.read(after.oid)]
  return (
    oldBytes !== null && newBytes !== null && areOnlyTransitions(oldBytes.toString('utf8'), newBytes.toString('utf8'))
  )
}

function blobTextQuery(oid: string): GitQuery<string> {
  return { args: ['cat-file', 'blob', oid], parse: out => out }
}
