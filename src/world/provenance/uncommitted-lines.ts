import { join } from 'node:path'
import { settleDaemon } from '../io/daemon-client/ask-daemon.ts'
import { KotefError } from '../../core/base/failure.ts'
import { blobOid } from '../../core/git/blob-oid.ts'
import { type FilePatch, lineMarker } from '../../core/git/diff/patch.ts'
import { loadHasher } from '../io/files/hasher.ts'
import { byteLines } from '../../core/base/lines.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import type { BlamedLine } from './blamed-line.ts'
import { findNoteRecords } from '../ledger/notes.ts'
import { LARGE_FILE_BYTES_MAX } from '../io/files/regular-file.ts'

/** The lines of a file, those that are not committed with the author that the ledger has. */
export async function withUncommittedAuthors(
  workspace: Workspace,
  path: string,
  lines: readonly BlamedLine[],
): Promise<BlamedLine[]> {
  const fresh = new Set(lines.flatMap(it => (it.commit === null ? [it.line] : [])))
  if (fresh.size === 0) return [...lines]
  const bytes = await workspace.files.read(join(workspace.root, path), LARGE_FILE_BYTES_MAX)
  if (!bytes) throw new KotefError('usage', `${path} does not exist any more.`)
  const owners = await ownersOf(workspace, { path, bytes, fresh })
  return lines.map(it => {
    const owner = fresh.has(it.line) ? owners.get(it.line) : null
    if (!owner) return it
    const { record, ...author } = owner
    return { ...it, author, record, how: 'working' as const }
  })
}

/** A file on disk, and which of its lines (1-based) are not committed. */
type EditedFile = { readonly path: string; readonly bytes: Buffer; readonly fresh: ReadonlySet<number> }

// What nobody has recorded yet would hide the authors of the lines around it.
async function ownersOf(workspace: Workspace, file: EditedFile) {
  const known = await attribute(workspace, file)
  const isClear = [...known.values()].every(it => it)
  return isClear || !(await recordMissed(workspace)) ? known : attribute(workspace, file)
}

/** Records what was written while no daemon ran. False when there is nothing to record, or no place to record it. */
async function recordMissed(workspace: Workspace): Promise<boolean> {
  const hasLedger = (await workspace.files.modifiedAt(ownPath(workspace, 'head.json'))) !== null
  if (!hasLedger || (await settleDaemon(workspace))) return hasLedger
  const { recordWithoutDaemon } = await import('../recording/observation/record-without-daemon.ts')
  return recordWithoutDaemon(workspace).then(
    () => true,
    () => false,
  )
}

async function attribute(workspace: Workspace, { path, bytes, fresh }: EditedFile) {
  const { attributeLines } = await import('../../core/authorship/attribute-lines.ts')
  const { loadAttributionSources } = await import('./attribution-sources.ts')
  const hasher = await loadHasher()
  const mark = lineMarker(hasher.xxh32)
  const hunk = byteLines(bytes).map((line, n) => ({
    ...mark(line),
    bytes: line,
    at: n + 1,
    side: fresh.has(n + 1) ? ('added' as const) : ('kept' as const),
  }))
  const file: FilePatch = { path, from: null, before: null, after: blobOid(bytes), hunks: [hunk] }
  const evidence = await loadAttributionSources(workspace, { paths: new Set([path]), blobs: [] }, hasher)
  const [attributed = []] = attributeLines({ commit: '', files: [file] }, evidence)
  if (attributed.every(it => it.owner)) return new Map(attributed.map(it => [it.at, it.owner]))
  const notes = await findNoteRecords(workspace, [path])
  const [clearer = []] = attributeLines({ commit: '', files: [file] }, evidence.withNotes(notes))
  return new Map(clearer.map(it => [it.at, it.owner]))
}
