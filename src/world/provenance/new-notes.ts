import { openBlobs } from '../io/git/blobs.ts'
import { isIntactNote } from '../../core/ledger/commit-record.ts'
import { attributedPaths } from '../../core/ledger/attributed-lines.ts'
import { parseNote } from '../../core/ledger/note.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { commitsBetween } from './commit-queries.ts'
import { type NotesOfTip, notesOfTip, noteText } from './notes-tree.ts'

type NotesChange = { readonly before: string | null; readonly after: string | null }

/**
 * The commits, oldest first, of whose lines new notes may know the authors: those that change a path of such a note.
 * The notes are given by two tips.
 */
export async function commitsOfNewNotes(
  workspace: Workspace,
  change: NotesChange,
  { tips, ends }: { readonly tips: readonly string[]; readonly ends: readonly string[] },
): Promise<string[]> {
  const paths = tips.length === 0 ? [] : await newlyNotedPaths(workspace, change)
  if (paths.length === 0) return []
  return workspace.git.ask(commitsBetween(tips, ends, paths.length > PATHS_MAX ? [] : paths))
}

// More paths would make a command line too long; then every commit is looked at.
const PATHS_MAX = 500

/** The paths with a known author in the notes that one tip has, and another one has not. */
async function newlyNotedPaths(workspace: Workspace, { before, after }: NotesChange): Promise<string[]> {
  const old = await notesAt(workspace, before)
  const now = await notesAt(workspace, after)
  const paths = new Set<string>()
  await using blobs = openBlobs(workspace.root)
  for (const [commit, note] of now) {
    if (old.get(commit)?.blob === note.blob) continue
    const records = parseNote(await noteText(blobs, note)).records.filter(isIntactNote)
    for (const path of attributedPaths(records)) paths.add(path)
  }
  return [...paths]
}

// This clone may not have the old tip any more.
async function notesAt({ git }: Workspace, tip: string | null): Promise<NotesOfTip> {
  return (tip === null ? null : await git.tryAsk(notesOfTip(tip))) ?? new Map()
}
