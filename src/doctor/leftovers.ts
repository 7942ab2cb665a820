import { join } from 'node:path'
import { placesOf, type Workspace } from '../workspace/workspace.ts'
import type { Note } from './complaint.ts'

/** What kotef left in its own folders, and nobody will need again. */
export async function leftoverNotes(workspace: Workspace): Promise<Note[]> {
  const { own, compiled, shared, sessions } = placesOf(workspace)
  const folders = [...new Set([own, compiled, shared, sessions])]
  const cut = await Promise.all(folders.map(it => olderThan(workspace, it, { ms: HOUR_MS, named: HALF_WRITTEN })))
  const markers = await olderThan(workspace, join(own, 'own-writes'), { ms: MONTH_MS, named: /./ })
  const ended = await olderThan(workspace, join(sessions, 'ended'), { ms: MONTH_MS, named: /\.json$/ })
  return [
    ...noteOf(cut.flat(), `half-written in ${own}`),
    ...noteOf(markers, `of what kotef wrote more than 30 days ago in ${join(own, 'own-writes')}`),
    ...noteOf(ended, `of sessions that ended more than 30 days ago in ${join(sessions, 'ended')}`),
  ]
}

const HOUR_MS = 3_600_000
const MONTH_MS = 30 * 24 * HOUR_MS

// A write takes milliseconds from its temporary name to its own, and a lock from its claim to its place.
const HALF_WRITTEN = /\.tmp$|\.new$|\.lock\.[\da-f-]{36}$/

type Bounds = { readonly ms: number; readonly named: RegExp }

async function olderThan({ files, clock }: Workspace, folder: string, { ms, named }: Bounds): Promise<string[]> {
  const paths = (await files.list(folder)).filter(it => named.test(it)).map(it => join(folder, it))
  const times = await Promise.all(paths.map(it => files.modifiedAt(it)))
  return paths.filter((_, n) => clock.now() - (times[n] ?? clock.now()) > ms).sort()
}

function noteOf(paths: readonly string[], which: string): Note[] {
  if (paths.length === 0) return []
  const what = `${paths.length === 1 ? '1 file is' : `${paths.length} files are`} left ${which}`
  return [{ what, fix: 'Remove them: `kotef doctor --fix`', repair: { kind: 'leftovers', at: paths } }]
}
