import { KotefError } from '../findings/failure.ts'
import type { Intent } from '../intents/intent.ts'
import type { Lesson, LessonDraft } from '../lessons/lesson.ts'
import { withLesson } from '../lessons/lesson-list.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { editLessons } from './lessons-on-disk.ts'

/** Records a lesson, or that it was learned again, and returns it. Throws for a text that says nothing. */
export async function recordLesson(workspace: Workspace, draft: LessonDraft): Promise<Lesson> {
  return editLessons(workspace, (lessons, terms) => {
    if (terms.limits.items === 0) throw new KotefError('usage', 'No lessons are kept here: `lessons.items` is 0.')
    const { lessons: list, lesson } = withLesson(lessons, draft, terms)
    if (lesson === null) throw new KotefError('usage', 'The lesson has no text.')
    return { lessons: list, result: lesson }
  })
}

/** The files that a lesson is about: those that were named, else the scope of the intent that it was learned with. */
export function lessonFiles(named: readonly string[], intent: Pick<Intent, 'owned_scope'> | null): readonly string[] {
  if (named.length > 0) return named
  return (intent?.owned_scope ?? []).filter(it => !it.startsWith('!'))
}

/** Removes the lesson whose id begins so, and returns it. */
export async function dropLesson(workspace: Workspace, id: string): Promise<Lesson> {
  return editLessons(workspace, lessons => {
    const [dropped, ...more] = lessons.filter(it => id !== '' && it.id.startsWith(id))
    if (!dropped) throw new KotefError('unknown-lesson', `No lesson has the id ${printable(id)}.`)
    if (more.length > 0) throw new KotefError('unknown-lesson', `${more.length + 1} ids begin with ${printable(id)}.`)
    return { lessons: lessons.filter(it => it !== dropped), result: dropped }
  })
}
