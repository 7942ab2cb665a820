import type { GitQuery } from '../diff/query.ts'
import type { Change } from '../diff/staged.ts'
import type { Blobs } from '../io/blobs.ts'
import { onlyMoves } from '../intents/moves.ts'
import { REGISTRY_PATH } from '../intents/paths.ts'
import { readRegistry } from '../intents/registry.ts'
import type { Workspace } from './workspace.ts'

/** True when two registries, given as blobs, differ by nothing but legal transitions. */
export async function registryMoves({ git }: Workspace, before: string, after: string): Promise<boolean> {
  return isOnlyMoves(await git.ask(blobText(before)), await git.ask(blobText(after)))
}

function isOnlyMoves(before: string, after: string): boolean {
  const [old, staged] = [readRegistry(before), readRegistry(after)]
  if (old.problems.length > 0 || staged.problems.length > 0) return false
  return onlyMoves(old.intents, staged.intents)
}

/** The same of a change of a file: false for any file but a registry. */
export async function isMove(blobs: Blobs, { path, before, after }: Change): Promise<boolean> {
  if (path !== REGISTRY_PATH || !before || !after || before.mode !== after.mode) return false
  const [old, anew] = [await blobs.read(before.oid), await blobs.read(after.oid)]
  return old !== null && anew !== null && isOnlyMoves(old.toString('utf8'), anew.toString('utf8'))
}

function blobText(oid: string): GitQuery<string> {
  return { args: ['cat-file', 'blob', oid], parse: out => out }
}
