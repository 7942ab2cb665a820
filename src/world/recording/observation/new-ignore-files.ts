import { isIgnoreFile, type TrackedAmong } from '../../io/git/ignore-sources.ts'
import type { WorktreeState } from './worktree-state.ts'

// A `.gitignore` that ignores itself is in no status of git, and neither is what it hides. Only the rules of files that
// are in the index make a path ignored for the ledger; see docs/decisions/what-does-a-new-ignore-file-hide.md.

/** True when an ignore file that is not in the index is known, or is among some paths. */
export function mayHideNew(state: WorktreeState, paths: readonly string[]): boolean {
  const isNew = (path: string): boolean => isIgnoreFile(path) && !state.index.has(path)
  return paths.some(isNew) || paths.some(it => foldersAbove(it).some(folder => isKnownNew(state, folder)))
}

function isKnownNew(state: WorktreeState, folder: string): boolean {
  const path = `${folder}.gitignore`
  return (state.paths.get(path)?.content ?? null) !== null && !state.index.has(path)
}

function foldersAbove(path: string): string[] {
  return [...path.matchAll(/\//g)].map(it => path.slice(0, it.index + 1)).concat('')
}

/** Answers by the index which of some files it has, and one file below each folder that has any. */
export function trackedIn({ index }: Pick<WorktreeState, 'index'>): TrackedAmong {
  const oneBelow = (folder: string): string[] => {
    for (const it of index.pathsBelow(folder)) return [it]
    return []
  }
  return async paths => paths.flatMap(it => (index.has(it) ? [it] : oneBelow(it)))
}

/**
 * The files below each of some paths that are hidden; of a folder with very many only the first ones, and each ignore
 * file, which says what it is.
 */
export function firstOfEach(files: readonly string[], hidden: readonly string[]): string[] {
  const folders = new Set(hidden.map(it => it.replace(/\/?$/, '/')))
  const counts = new Map<string, number>()
  return files.filter(path => {
    const folder = foldersAbove(path).find(it => folders.has(it)) ?? path
    const count = (counts.get(folder) ?? 0) + 1
    counts.set(folder, count)
    return count <= HIDDEN_FILES_MAX || isIgnoreFile(path)
  })
}

// More files than a person reads, and fewer than an environment of some language has.
const HIDDEN_FILES_MAX = 200
