import { blobOid } from '../../../core/git/blob-oid.ts'
import type { RecorderContext } from './recorder-context.ts'
import { readSnapshot } from './snapshots.ts'

/** A file's bytes before the write, as they were on disk: git may have checked out CRLF for a blob with LF. */
export async function bytesBefore(
  context: RecorderContext,
  { path, oid }: { path: string; oid: string },
  now: Buffer | null,
): Promise<{ bytes: Buffer; oid: string } | null> {
  const { workspace, blobs, state } = context
  // What is known from the index alone has no snapshot.
  const isOfIndex = !state.paths.has(path) && state.index.get(path)?.oid === oid
  const kept = isOfIndex ? null : await readSnapshot(workspace, oid)
  if (kept) return { bytes: kept, oid }
  const blob = await blobs.read(oid)
  if (!blob) return checkedOutBytes(context, { path, oid })
  const filtered = now?.includes('\r\n') && !blob.includes('\r') ? await blobs.readCheckedOut(oid, path) : null
  return { bytes: filtered ?? blob, oid: filtered ? blobOid(filtered) : oid }
}

// Content that git checked out through a filter is neither a snapshot nor a blob, but git can make it again.
async function checkedOutBytes({ state, blobs }: RecorderContext, { path, oid }: { path: string; oid: string }) {
  const entry = state.index.get(path)
  const bytes = entry ? await blobs.readCheckedOut(entry.oid, path) : null
  return bytes && blobOid(bytes) === oid ? { bytes, oid } : null
}
