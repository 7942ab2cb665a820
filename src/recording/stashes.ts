import { join } from 'node:path'
import { blobsBetween } from '../diff/blobs-between.ts'
import { emptyTree } from '../diff/staged.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** What lies, or lately lay, in stashes. */
export type Stashes = {
  /** Looks at which stashes there are: the next `stash pop` takes one away. */
  look(): Promise<void>
  /** True when a stash has a blob at a path, or (null) has the path deleted; `new` ones came since the last rest. */
  holds(path: string, oid: string | null, age?: 'new'): Promise<boolean>
  /** The blob that the newest stash had at a path of those that went since the last rest. */
  popped(path: string): Promise<string | null>
  /** All that there are now are old, and what went is forgotten. */
  rested(): Promise<void>
}

/** Remembers the stashes of a clone. */
export function stashesOf(workspace: Workspace): Stashes {
  const contents = new Map<string, Promise<ReadonlyMap<string, string | null>>>()
  let standing: ReadonlySet<string> = new Set()
  let old: ReadonlySet<string> = new Set()
  const look = async (): Promise<void> => {
    const end = await workspace.files.readEnd(join(workspace.commonDir, 'logs/refs/stash'), BYTES_MAX)
    standing = new Set(stashesIn(end?.bytes.toString('utf8') ?? ''))
    for (const oid of standing) {
      if (!contents.has(oid)) contents.set(oid, contentsOf(workspace, oid))
    }
    for (const oid of [...contents.keys()].slice(0, -STASHES_MAX)) contents.delete(oid)
  }
  const newestFirst = () => Promise.all([...contents.values()].reverse())
  const isNew = (oid: string): boolean => standing.has(oid) && !old.has(oid)
  const newOnes = () => Promise.all([...contents].flatMap(([oid, content]) => (isNew(oid) ? [content] : [])))
  return {
    look,
    async holds(path, oid, age) {
      await look()
      return (await (age === 'new' ? newOnes() : newestFirst())).some(it => it.get(path) === oid)
    },
    async popped(path) {
      await look()
      const gone = [...contents].flatMap(([oid, content]) => (standing.has(oid) ? [] : [content]))
      return (await Promise.all(gone)).findLast(it => it.has(path))?.get(path) ?? null
    },
    async rested() {
      await look()
      old = standing
      for (const oid of contents.keys()) if (!standing.has(oid)) contents.delete(oid)
    },
  }
}

const BYTES_MAX = 8_192
const STASHES_MAX = 20

// `<old> <new> <who> <when> <zone>\t<message>`; the newest comes last.
function stashesIn(log: string): string[] {
  return [...log.matchAll(/^[0-9a-f]{40,64} ([0-9a-f]{40,64}) /gm)].flatMap(([, oid]) => oid ?? [])
}

/** A stash is a commit on top of the HEAD that it was made on; its third parent holds what was untracked. */
async function contentsOf({ git }: Workspace, oid: string): Promise<ReadonlyMap<string, string | null>> {
  const tracked = await git.tryAsk(blobsBetween(`${oid}^1`, oid))
  const untracked = await git.tryAsk(blobsBetween(await git.ask(emptyTree), `${oid}^3`))
  return new Map([...(tracked ?? []), ...(untracked ?? [])])
}
