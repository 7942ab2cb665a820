import { join } from 'node:path'
import type { BlameChunk } from '../../core/git/blame.ts'
import { isAncestor } from '../../core/git/revisions.ts'
import { filePaths, pathsTouchedIn } from '../../core/git/touched-paths.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitsBeforeNotes } from './annotation-state.ts'
import { openFilteredHistory } from '../io/git/filtered-history.ts'
import { blameEach, startBlame } from '../io/git/start-blame.ts'
import { type KnownFormats, throughFormats } from '../ledger/through-formats.ts'
import { readNoteRecords } from '../ledger/notes.ts'

/** Lines of a file of HEAD that one commit added, with their place in that commit and in HEAD. */
export type HeadLines = Pick<BlameChunk, 'commit' | 'path' | 'origin' | 'at' | 'lines'> & {
  /** The path in HEAD; `path` is the one in that commit. */
  readonly headPath: string
}

/** Finds the commits of all lines of HEAD. A file that no newer commit changed is blamed once. */
export type HeadBlameReader = {
  /** `progress` is called with the share of the files that are blamed. */
  read(head: string, progress: (share: number) => void): Promise<readonly HeadLines[]>
}

/** Opens the blame of HEAD's files. Those that no commit changed since kotef was set up are left out. */
export function openHeadBlame(workspace: Workspace): HeadBlameReader {
  let known: { readonly head: string; readonly files: ReadonlyMap<string, readonly HeadLines[]> } | null = null
  const formats: KnownFormats = new Map()
  return {
    async read(head, progress) {
      const changed = known && (await changedSince(workspace, known.head, head))
      const files = new Map<string, readonly HeadLines[]>()
      const paths = await countedPaths(workspace, head)
      const isKnown = (path: string) => changed?.has(path) === false && known?.files.has(path) === true
      for (const path of paths.filter(isKnown)) files.set(path, known?.files.get(path) ?? [])
      const unknown = paths.filter(it => !isKnown(it))
      const shareOf = (share: number) => (paths.length - unknown.length + share * unknown.length) / paths.length
      await using filtered = await openFilteredHistory(workspace, { head, files: unknown.length })
      const reader = { ...workspace, git: filtered.git }
      const blameOne = (path: string) => blameFile(reader, head, { path })
      const blamed = await blameEach(unknown, blameOne, share => progress(shareOf(share)))
      for (const [path, lines] of blamed) files.set(path, lines)
      const again = async (path: string, ignored: readonly string[]) => blameFile(reader, head, { path, ignored })
      const recordsOn = (commits: readonly string[]) => readNoteRecords(workspace, commits)
      known = { head, files: await throughFormats(files, { recordsOn, again }, formats) }
      return [...known.files.values()].flat()
    },
  }
}

/** The paths that commits changed since another one; null where that is not in the history of the newer one. */
async function changedSince({ git }: Workspace, old: string, head: string): Promise<ReadonlySet<string> | null> {
  if (old === head) return new Set()
  const isNewer = await git.tryAsk(isAncestor(old, head))
  return isNewer ? git.ask(pathsTouchedIn([head, `^${old}`])) : null
}

async function countedPaths(workspace: Workspace, head: string): Promise<string[]> {
  const [paths, ends] = await Promise.all([workspace.git.ask(filePaths(head)), commitsBeforeNotes(workspace)])
  if (ends === null) return paths
  const touched = await workspace.git.ask(pathsTouchedIn([head, '--not', ...ends]))
  return paths.filter(it => touched.has(it))
}

// A file that git can't blame has no lines that anybody could count.
async function blameFile(
  { git, root }: Workspace,
  revision: string,
  { path: headPath, ignored = [] }: { readonly path: string; readonly ignored?: readonly string[] },
): Promise<HeadLines[]> {
  const chunks = await startBlame(git, { file: join(root, headPath), revision, ranges: [], ignored }).catch(() => [])
  return chunks.map(({ commit, path, origin, at, lines }) => ({ commit, path, origin, at, lines, headPath }))
}
