import { isIgnoreFile, isNewSource, ignoreSources } from '../io/git/ignore-sources.ts'
import type { Workspace } from '../worktree/workspace.ts'
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

/** Those of some paths that git ignores by an ignore file that is not in the index. */
export async function hiddenByNewFiles(
  { root }: Pick<Workspace, 'root'>,
  { index }: Pick<WorktreeState, 'index'>,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const sources = await ignoreSources(root, paths)
  return new Set(paths.filter(it => isNewSource(sources.get(it), path => index.has(path))))
}
