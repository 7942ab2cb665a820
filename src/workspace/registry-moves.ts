import type { GitQuery } from '../diff/query.ts'
import { onlyMoves } from '../intents/moves.ts'
import { readRegistry } from '../intents/registry.ts'
import type { Workspace } from './workspace.ts'

/** True when two registries, given as blobs, differ by nothing but legal transitions. */
export async function registryMoves({ git }: Workspace, before: string, after: string): Promise<boolean> {
  return isOnlyMoves(await git.ask(blobText(before)), await git.ask(blobText(after)))
}

/** The same of their texts. */
export function isOnlyMoves(before: string, after: string): boolean {
  const [old, staged] = [readRegistry(before), readRegistry(after)]
  if (old.problems.length > 0 || staged.problems.length > 0) return false
  return onlyMoves(old.intents, staged.intents)
}

function blobText(oid: string): GitQuery<string> {
  return { args: ['cat-file', 'blob', oid], parse: out => out }
}
