import { takeFile } from '../io/files/private-file.ts'
import type { Lesson } from '../../core/lessons/lesson.ts'
import { knownLesson } from '../../core/lessons/lesson-list.ts'
import { readLessonsFile } from '../../core/lessons/lessons-file.ts'
import { objectOrNull, parseObject } from '../../core/base/payload.ts'
import { readHead } from '../io/worktree/head.ts'
import { ownPath, STAGED_LESSONS } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { forgetWaiting } from './waiting-lessons.ts'

/** What a commit that is being made takes with it: lessons that wait until that commit is there. */
export type StagedLessons = {
  /** The commit on which it is made. */
  readonly head: string
  /** The file of the lessons, and its blob with them. */
  readonly path: string
  readonly oid: string
  readonly lessons: readonly Pick<Lesson, 'id' | 'text' | 'seen'>[]
}

/** Notes what is staged. The git hook for messages asks whether there is such a note. */
export function noteStaged(workspace: Workspace, staged: StagedLessons): Promise<void> {
  return workspace.files.put(stagedPath(workspace), JSON.stringify(staged))
}

/** Ends the note: nothing is staged any more. */
export function dropStaged(workspace: Workspace): Promise<void> {
  return workspace.files.remove(stagedPath(workspace))
}

/**
 * What is staged on HEAD; null for nothing. Once HEAD is another commit, lessons that it has no longer wait, and the
 * others do: their commit was not made.
 */
export async function settleStaged(workspace: Workspace): Promise<StagedLessons | null> {
  const bytes = await workspace.files.read(stagedPath(workspace)).catch(() => null)
  if (bytes === null) return null
  const staged = readStaged(bytes.toString('utf8'))
  if (staged !== null && staged.head === (await readHead(workspace))) return staged
  const isOurs = await takeFile(workspace.files, stagedPath(workspace))
  if (staged !== null && isOurs) await forgetCommitted(workspace, staged)
  return null
}

async function forgetCommitted(workspace: Workspace, { path, lessons }: StagedLessons): Promise<void> {
  const bytes = await workspace.git.bytes(['cat-file', 'blob', `HEAD:${path}`]).catch(() => Buffer.alloc(0))
  const committed = readLessonsFile(bytes).lessons
  await forgetWaiting(
    workspace,
    lessons.filter(it => knownLesson(committed, it)),
  )
}

function readStaged(text: string): StagedLessons | null {
  const { head, path, oid, lessons } = parseObject(text) ?? {}
  const isWhole = Array.isArray(lessons) && lessons.every(isCounted)
  if (typeof head !== 'string' || typeof path !== 'string' || typeof oid !== 'string' || !isWhole) return null
  return { head, path, oid, lessons: lessons as StagedLessons['lessons'] }
}

function isCounted(value: unknown): boolean {
  const { id, text, seen } = objectOrNull(value) ?? {}
  return typeof id === 'string' && typeof text === 'string' && typeof seen === 'number'
}

function stagedPath(workspace: Pick<Workspace, 'gitDir'>): string {
  return ownPath(workspace, STAGED_LESSONS)
}
