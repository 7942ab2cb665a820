import { notedRanges } from '../ledger/note.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { headOid } from '../git/revisions.ts'
import { blamePath } from './blame.ts'
import { readNoteRecords } from './notes.ts'

/** A file, the number of lines that an intent added to it, and how many of these HEAD still has. */
export type SurvivingLines = { readonly path: string; readonly added: number; readonly alive: number }

/** Counts how many lines of an intent survive, by the files that its commits added them to. */
export async function countSurvivingLines(
  workspace: Workspace,
  intent: string,
  commits: readonly string[],
): Promise<SurvivingLines[]> {
  const notes = await readNoteRecords(workspace, commits)
  const added = new Map<string, number>()
  for (const records of notes.values()) {
    for (const path of new Set(records.flatMap(it => it.files).map(it => it.path))) {
      const own = notedRanges(records, path).filter(it => it.author.intent === intent)
      const lines = own.reduce((sum, { range }) => sum + range.end_line - range.start_line + 1, 0)
      if (lines > 0) added.set(path, (added.get(path) ?? 0) + lines)
    }
  }
  const head = await workspace.git.tryAsk(headOid)
  const files: SurvivingLines[] = []
  for (const [path, count] of added) {
    // A deleted file has none. Moved lines count in their new file, if the intent added lines to that file as well.
    const lines = await blamePath(workspace, { path, revision: head }).catch(() => [])
    files.push({ path, added: count, alive: lines.filter(it => it.author.intent === intent).length })
  }
  return files.sort((one, other) => other.alive - one.alive)
}
