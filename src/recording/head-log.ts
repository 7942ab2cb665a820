import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { blobsBetween } from '../diff/blobs-between.ts'
import { type HeadMove, headMoves } from '../diff/head-moves.ts'
import { emptyTree } from '../diff/staged.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Tells by whom a path came to a blob (null: to be gone) since everything was last at rest; null when nothing says. */
export type Makers = (path: string, oid: string | null) => Promise<'git' | 'hand' | null>

/** What git's merges and HEAD's moves say of who brought a content into the worktree. */
export type HeadLog = {
  /** Something happened to a file of this name in the git directory: the next commit takes away what a merge left. */
  saw(name: string): void
  makers(): Promise<Makers>
  /** Everything that happened up to now is told of. */
  rested(): Promise<void>
}

/** Reads HEAD's log from here on. */
export function headLogOf(workspace: Workspace): HeadLog {
  const path = join(workspace.gitDir, 'logs/HEAD')
  const contents = new Map<string, Promise<Blobs>>()
  const merges = new Set<string>()
  let rest = { bytes: 0, at: -Infinity }
  const changedBy = ({ from, to }: Pick<HeadMove, 'from' | 'to'>): Promise<Blobs> => {
    const known = contents.get(`${from} ${to}`) ?? changesOf(workspace, from, to)
    contents.set(`${from} ${to}`, known)
    return known
  }
  const sizeNow = async (): Promise<number> => (await workspace.files.readEnd(path, 0))?.size ?? 0
  const moves = async (): Promise<HeadMove[]> => {
    const fresh = Math.max(0, (await sizeNow()) - rest.bytes)
    const end = await workspace.files.readEnd(path, Math.min(fresh, BYTES_MAX))
    return headMoves(end?.bytes.toString('utf8') ?? '').slice(0, MOVES_MAX)
  }
  const saw = (name: string): void => {
    const merge = name === 'AUTO_MERGE' ? mergeNow(workspace) : null
    if (merge !== null && merge.at > rest.at) merges.add(merge.oid)
  }
  return {
    saw,
    async makers() {
      const latest = await moves()
      saw('AUTO_MERGE')
      const from = latest.at(-1)?.from ?? 'HEAD'
      const merged = await Promise.all([...merges].map(to => changesOf(workspace, from, to)))
      return async (at, oid) => {
        if (merged.some(it => it.get(at) === oid)) return 'git'
        for (const move of latest) if (move.by !== 'both' && (await changedBy(move)).get(at) === oid) return move.by
        return null
      }
    },
    async rested() {
      rest = { at: workspace.clock.now(), bytes: await sizeNow() }
      contents.clear()
      merges.clear()
    },
  }
}

const BYTES_MAX = 65_536
const MOVES_MAX = 50

/** The tree that git's last merge of whatever kind came to, conflicts and all, and when it was made. */
function mergeNow({ gitDir }: Workspace): { oid: string; at: number } | null {
  try {
    const path = join(gitDir, 'AUTO_MERGE')
    return { at: statSync(path).mtimeMs, oid: readFileSync(path, 'latin1').trim() }
  } catch {
    return null
  }
}

type Blobs = ReadonlyMap<string, string | null>

async function changesOf({ git }: Workspace, from: string, to: string): Promise<Blobs> {
  const before = /^0+$/.test(from) ? await git.ask(emptyTree) : from
  return (await git.tryAsk(blobsBetween(before, to))) ?? new Map<string, string | null>()
}
