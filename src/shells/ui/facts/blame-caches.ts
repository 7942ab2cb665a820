import { type BlameCache, openBlameCache } from '../../../world/provenance/blame-cache.ts'
import { readNotesTip } from '../../../world/ledger/notes.ts'
import { layoutOf } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

type KeptCache = { readonly blame: BlameCache; stamp: string }

// A page is made of a workspace alone, and the next request of the same file comes soon.
const caches = new WeakMap<Workspace, KeptCache>()

/** The authors of the files of a worktree, found once until the notes or the registry change. */
export async function blameCacheOf(workspace: Workspace): Promise<BlameCache> {
  const stamp = await provenanceStamp(workspace)
  const kept = caches.get(workspace) ?? { blame: openBlameCache(workspace), stamp }
  caches.set(workspace, kept)
  if (kept.stamp !== stamp) kept.blame.forget()
  kept.stamp = stamp
  return kept.blame
}

/** Changes with the notes, and with the registry: of several intents that a commit cites, the scopes choose. */
async function provenanceStamp(workspace: Workspace): Promise<string> {
  const [tip, registryAt] = await Promise.all([
    readNotesTip(workspace),
    workspace.files.modifiedAt(layoutOf(workspace).registry).catch(() => null),
  ])
  return `${tip} ${registryAt}`
}
