import type { GitQuery } from '../../core/git/query.ts'
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

/** A file that differs in two tips; `commit` is null for one that is not a note, and a blob is for none. */
export type NotesChange = {
  readonly commit: string | null
  readonly path: string
  readonly before: string | null
  readonly after: string | null
}

/** What differs between two tips. A note that only moved to another folder has no change. */
export function changedNotes(before: string, after: string): GitQuery<readonly NotesChange[]> {
  return {
    args: ['diff-tree', '-r', '-z', '--raw', '--full-index', '--no-renames', '--end-of-options', before, after, '--'],
    parse: parseNotesChanges,
  }
}

function parseNotesChanges(out: string): readonly NotesChange[] {
  const fields = out.split('\0')
  const changes = new Map<string, NotesChange>()
  for (let n = 0; n + 1 < fields.length; n += 2) {
    const [, , old = '', next = ''] = (fields[n] ?? '').slice(1).split(' ')
    const path = fields[n + 1] ?? ''
    const name = path.replaceAll('/', '')
    const known = changes.get(name)
    const after = blobOrNull(next) ?? known?.after ?? null
    // A note that moves is removed at one path, and added at another one.
    changes.set(name, {
      commit: /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name) ? name : null,
      path: blobOrNull(next) === null ? (known?.path ?? path) : path,
      before: blobOrNull(old) ?? known?.before ?? null,
      after,
    })
  }
  return [...changes.values()].filter(it => it.before !== it.after)
}

function blobOrNull(oid: string): string | null {
  return /^0*$/.test(oid) ? null : oid
}

/** The text of a note; no text for no note. */
export async function noteText(blobs: Blobs, note: NoteEntry | undefined): Promise<string> {
  return note === undefined ? '' : ((await blobs.read(note.blob))?.toString('utf8') ?? '')
}
