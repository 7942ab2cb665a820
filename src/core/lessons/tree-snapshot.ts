import type { PathChange } from '../git/changes.ts'
import { objectOrNull, type Payload } from '../base/payload.ts'

/** The files of a worktree at a moment, as what differs from a commit; a null oid stands for a missing file. */
export type TreeSnapshot = {
  /** The commit, or the oid of the empty tree before the first one. */
  readonly base: string
  readonly changed: Readonly<Record<string, string | null>>
}

/** A snapshot of the changes against a commit. */
export function snapshotOf(base: string, changes: readonly PathChange[]): TreeSnapshot {
  return { base, changed: Object.fromEntries(changes.map(it => [it.path, it.after?.oid ?? null])) }
}

/** The paths in which two snapshots differ, sorted; `committed` are the differences of the commits that they name. */
export function changedBetween(
  before: TreeSnapshot,
  after: TreeSnapshot,
  committed: readonly PathChange[],
): readonly string[] {
  const ofCommits = new Map(committed.map(it => [it.path, it]))
  const contentIn = ({ changed }: TreeSnapshot, path: string, side: 'before' | 'after') => {
    return Object.hasOwn(changed, path)
      ? changed[path]
      : ofCommits.has(path)
        ? (ofCommits.get(path)?.[side]?.oid ?? null)
        : SAME
  }
  const named = new Set([...Object.keys(before.changed), ...Object.keys(after.changed), ...ofCommits.keys()])
  return [...named].filter(it => contentIn(before, it, 'before') !== contentIn(after, it, 'after')).sort()
}

// What both commits have, and no oid equals.
const SAME = 'same'

/** True for a file of the work: not one of kotef's, nor of a session of the handover. */
export function isWork(path: string): boolean {
  return !/^\.(?:orchestration|sdd|agents-work)\//.test(path)
}

/** A saved snapshot; null for a damaged one. */
export function readTreeSnapshot(value: unknown): TreeSnapshot | null {
  const { base, changed } = objectOrNull(value) ?? {}
  const files: Payload | null = objectOrNull(changed)
  const isWhole = files !== null && Object.values(files).every(it => it === null || typeof it === 'string')
  return typeof base === 'string' && isWhole ? { base, changed: files as TreeSnapshot['changed'] } : null
}
