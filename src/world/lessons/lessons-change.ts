import type { PathChange } from '../../core/git/changes.ts'
import type { Blobs } from '../io/git/blobs.ts'
import { lessonsFact, promptFileChange } from '../../core/lessons/lessons-change.ts'

/** What the changes of a commit say about lessons: they are all that it changes in an agent's prompt file. */
export async function lessonsFactOf(
  blobs: Pick<Blobs, 'read'>,
  changes: readonly PathChange[],
): Promise<ReturnType<typeof lessonsFact>> {
  const change = promptFileChange(changes)
  if (!change) return {}
  const read = (entry: PathChange['before']) => (entry === null ? null : blobs.read(entry.oid))
  const before = await read(change.before)
  const after = await read(change.after)
  // A content that git can't read is not an empty one.
  return change.before !== null && before === null ? {} : lessonsFact(before, after)
}
