import type { LineIntent } from '../../core/authorship/line-intent.ts'
import type { Authorship } from '../../core/ledger/commit-record.ts'
import { openBlobs } from '../io/git/blobs.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { citedIntents } from './cited-intents.ts'
import { readPatches } from './commit-queries.ts'
import { generatedLines } from './generated-lines.ts'
import { loadLineAuthors, UNKNOWN_AUTHOR } from './line-authors.ts'
import type { readNoteRecords } from '../ledger/notes.ts'

/** A line that a commit added (1-based), with the author that blame of that commit names. */
export type AddedLine = {
  readonly commit: string
  readonly path: string
  readonly line: number
  readonly author: Authorship
  /** True for a line of a generated part, of which no author is recorded: kotef wrote it. */
  readonly isOwn: boolean
} & Pick<LineIntent, 'either'>

/**
 * The lines that commits added, each once, in the order of the commits. Git says which lines these are: a note may have
 * several records of one line, and there may be no note. `notes` are those of the commits.
 */
export async function* addedLines(
  workspace: Workspace,
  commits: readonly string[],
  notes: NotesOfCommits,
): AsyncGenerator<AddedLine, void> {
  const intentOf = await citedIntents(workspace, commits)
  for await (const line of attributedLines(workspace, commits, notes)) {
    const { commit, path, author } = line
    const { intent, either } = intentOf(commit, path, author.intent)
    yield { ...line, author: { ...author, intent }, ...(either && { either }) }
  }
}

/** The notes of some commits, as `readNoteRecords` has them. */
export type NotesOfCommits = Awaited<ReturnType<typeof readNoteRecords>>

/** The same lines, of which an author has an intent only where one was recorded: the commit's message is not asked. */
export async function* attributedLines(
  workspace: Workspace,
  commits: readonly string[],
  notes: NotesOfCommits,
): AsyncGenerator<AddedLine, void> {
  const authorsOf = await loadLineAuthors(workspace, commits, { noted: notes })
  await using blobs = openBlobs(workspace.root)
  // No line is compared with another one, so no hash is needed.
  for await (const patches of readPatches(workspace.git, commits, () => 0)) {
    for (const { commit, files } of patches) {
      for (const { path, hunks } of files) {
        const authors = authorsOf(commit, path)
        const generated = await generatedLines(blobs, commit, path)
        for (const { at } of hunks.flat().filter(it => it.side === 'added')) {
          const { author } = authors.get(at) ?? UNKNOWN_AUTHOR
          const isOwn = author.contributor.type === 'unknown' && generated.has(at)
          yield { commit, path, line: at, author, isOwn }
        }
      }
    }
  }
}
