import type { GitQuery } from '../git/query.ts'
import type { Blobs } from '../io/git/blobs.ts'

/** A note in the tree of a tip. Git spreads many notes over folders, so the path is not always the commit's oid. */
type NoteEntry = { readonly blob: string; readonly path: string }

/** Where the notes are, by the oid of the commit. */
export type NotesOfTip = ReadonlyMap<string, NoteEntry>

/** The notes of a tip. */
export function notesOfTip(tip: string): GitQuery<NotesOfTip> {
  return {
    args: ['ls-tree', '-r', '-z', '--full-tree', tip],
    parse: out => new Map(out.split('\0').flatMap(parseNoteEntry)),
  }
}

function parseNoteEntry(entry: string): [commit: string, note: NoteEntry][] {
  const [, blob = '', path = ''] = /^\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(entry) ?? []
  const commit = path.replaceAll('/', '')
  return /^[0-9a-f]{40,64}$/.test(commit) ? [[commit, { blob, path }]] : []
}

/** The text of a note; no text for no note. */
export async function noteText(blobs: Blobs, note: NoteEntry | undefined): Promise<string> {
  return note === undefined ? '' : ((await blobs.read(note.blob))?.toString('utf8') ?? '')
}
