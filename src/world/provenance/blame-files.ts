import { join } from 'node:path'
import { notedClasses } from '../../core/ledger/noted-classes.ts'
import type { CommitRecord } from '../../core/ledger/commit-record.ts'
import { blameEach, startBlame } from '../io/git/start-blame.ts'
import { openFilteredHistory } from '../io/git/filtered-history.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { readNoteRecords } from '../ledger/notes.ts'
import { throughFormats } from '../ledger/through-formats.ts'
import { linesOfChunks, withIntents } from './blame.ts'
import type { BlamedLine } from './blamed-line.ts'
import { citedIntents } from './cited-intents.ts'
import { loadLineAuthors } from './line-authors.ts'

type FilesToBlame = {
  readonly paths: readonly string[]
  /** The oid of the commit that has them. */
  readonly revision: string
  /** Called with the share of the files that git has blamed. */
  readonly progress: (share: number) => void
}

/**
 * The lines of files of a commit with their authors, as `blame` finds them for one file. Notes, citations and authors
 * without a note are read once for all files: in a long history, each of these takes as long as the blame of a file. A
 * file that git can't blame has no lines.
 */
export async function* blameFiles(
  workspace: Workspace,
  { paths, revision, progress }: FilesToBlame,
): AsyncGenerator<{ readonly path: string; readonly lines: readonly BlamedLine[] }, void> {
  await using history = await openFilteredHistory(workspace, { head: revision, files: paths.length })
  const blameOne = (path: string, ignored: readonly string[] = []) =>
    startBlame(history.git, { file: join(workspace.root, path), revision, ranges: [], ignored }).catch(() => [])
  const noted = new Map<string, readonly CommitRecord[]>()
  const recordsOn = async (commits: readonly string[]) => {
    const found = await readNoteRecords(workspace, commits)
    for (const [commit, records] of found) noted.set(commit, records)
    return found
  }
  const blamed = await throughFormats(await blameEach(paths, blameOne, progress), { recordsOn, again: blameOne })
  const commits = [...new Set([...blamed.values()].flatMap(chunks => chunks.map(it => it.commit)))]
  const known = await loadLineAuthors(workspace, commits, { noted, tip: revision })
  const classes = new Map([...noted].map(([commit, records]) => [commit, notedClasses(records)]))
  const intentOf = await citedIntents(workspace, commits)
  for (const [path, chunks] of blamed)
    yield { path, lines: withIntents(linesOfChunks(chunks, { known, classes }), path, intentOf) }
}
