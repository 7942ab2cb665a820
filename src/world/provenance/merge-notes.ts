import { openBlobs } from '../io/git/blobs.ts'
import { isAncestor } from '../../core/git/revisions.ts'
import { mergeNoteTexts } from '../../core/ledger/note-lines.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { importNotes, type NoteTexts } from '../ledger/notes.ts'
import { noteText, notesOfTip } from './notes-tree.ts'

type NotesTips = { readonly ours: string | null; readonly theirs: string }

/**
 * Merges fetched notes into this clone's: the notes of both, and of each note the records of both. What one side
 * removed or edited comes back from the other. False when another process changed the notes meanwhile.
 */
export async function mergeNotesTip(workspace: Workspace, { ours, theirs }: NotesTips): Promise<boolean> {
  if (ours === null) return moveNotes(workspace, { ours, theirs })
  const { changed, isTheirs } = await compareNotes(workspace, { ours, theirs })
  if (isTheirs && (await workspace.git.tryAsk(isAncestor(ours, theirs)))) return moveNotes(workspace, { ours, theirs })
  if (changed.size === 0 && (await workspace.git.tryAsk(isAncestor(theirs, ours)))) return true
  return importNotes(workspace, changed, { tip: ours, merged: theirs })
}

async function moveNotes({ git }: Workspace, { ours, theirs }: NotesTips): Promise<boolean> {
  const moved = await git.tryAsk({ args: ['update-ref', 'refs/notes/kotef', theirs, ours ?? ''], parse: () => true })
  return moved === true
}

/** The notes that the merge changes in ours, by their paths, and whether the merge has exactly the notes of theirs. */
async function compareNotes(
  { git, root }: Workspace,
  { ours, theirs }: { ours: string; theirs: string },
): Promise<{ changed: NoteTexts; isTheirs: boolean }> {
  const own = await git.ask(notesOfTip(ours))
  const other = await git.ask(notesOfTip(theirs))
  const changed = new Map<string, string>()
  let isTheirs = [...own.keys()].every(it => other.has(it))
  await using blobs = openBlobs(root)
  for (const [commit, note] of other) {
    const existing = own.get(commit)
    if (existing?.blob === note.blob) continue
    const before = await noteText(blobs, existing)
    const after = await noteText(blobs, note)
    const merged = mergeNoteTexts(before, after)
    if (merged !== before) changed.set(existing?.path ?? note.path, merged)
    if (merged !== after) isTheirs = false
  }
  return { changed, isTheirs }
}
