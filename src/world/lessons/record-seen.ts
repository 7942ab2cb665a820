import type { SeenLesson } from '../../core/lessons/automatic.ts'
import type { Lesson } from '../../core/lessons/lesson.ts'
import { withLesson } from '../../core/lessons/lesson-list.ts'
import { objectOrNull, parseObject } from '../../core/base/payload.ts'
import { LESSON_LOCK_WAIT_MS_MAX } from '../../core/base/thresholds.ts'
import { ownPath } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { editLessonsOutside } from './lessons-on-disk.ts'

/**
 * Records what kotef saw by itself. It never throws: what goes on meanwhile is more important than a lesson. A failure
 * is kept for `kotef lesson list`.
 */
export async function recordSeen(
  workspace: Workspace,
  seen: () => Promise<readonly (SeenLesson | null)[]>,
): Promise<void> {
  try {
    const drafts = (await seen()).filter(it => it !== null)
    if (drafts.length === 0) return
    await recordAll(workspace, drafts)
    await workspace.files.remove(failurePath(workspace))
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown)
    const failure: LessonFailure = { at: new Date(workspace.clock.now()).toISOString(), why }
    await workspace.files.put(failurePath(workspace), JSON.stringify(failure)).catch(() => {})
  }
}

// The file is a tracked one: what kotef learns by itself waits for a commit.
function recordAll(workspace: Workspace, drafts: readonly SeenLesson[]): Promise<null> {
  return editLessonsOutside(
    workspace,
    (lessons, terms) => {
      if (terms.limits.items === 0) return { lessons, result: null }
      const add = (list: readonly Lesson[], it: SeenLesson) => withLesson(list, it, terms).lessons
      return { lessons: drafts.reduce(add, lessons), result: null }
    },
    { waitMsMax: LESSON_LOCK_WAIT_MS_MAX },
  )
}

/** Why a lesson could not be written, and when, as ISO 8601. */
export type LessonFailure = { readonly at: string; readonly why: string }

/** The failure of the last lesson of kotef's own; null when it was written, or there was none. */
export async function lastLessonFailure(workspace: Workspace): Promise<LessonFailure | null> {
  const text = (await workspace.files.read(failurePath(workspace)).catch(() => null))?.toString('utf8') ?? ''
  const { at, why } = objectOrNull(parseObject(text)) ?? {}
  return typeof at === 'string' && typeof why === 'string' ? { at, why } : null
}

function failurePath(workspace: Pick<Workspace, 'gitDir'>): string {
  return ownPath(workspace, 'lesson-failed.json')
}
