import { KotefError } from '../../core/base/failure.ts'
import type { Intent } from '../../core/intents/intent.ts'
import type { Lesson, LessonDraft } from '../../core/lessons/lesson.ts'
import { knownLesson, type RecordingTerms, withLesson } from '../../core/lessons/lesson-list.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import { printable } from '../../core/base/printable.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { editLessons, editLessonsOutside, loadLessons } from './lessons-on-disk.ts'
import { editWaiting } from './waiting-lessons.ts'

/**
 * Records the lesson of a person in the file of the lessons, or that it was learned again, and returns it. Throws for a
 * text that says nothing.
 */
export async function recordLesson(workspace: Workspace, draft: LessonDraft): Promise<Lesson> {
  return editLessons(workspace, (lessons, terms) => recordedLesson(lessons, draft, terms))
}

/** The same for an agent: its lesson waits, as those of kotef's own. The list counts what is in the file as well. */
export async function keepLesson(workspace: Workspace, draft: LessonDraft): Promise<Lesson> {
  const kept = await editLessonsOutside(workspace, (lessons, terms) => recordedLesson(lessons, draft, terms))
  const { lessons } = await loadLessons(workspace, await loadConfig(workspace))
  return knownLesson(lessons, kept) ?? kept
}

function recordedLesson(lessons: readonly Lesson[], draft: LessonDraft, terms: RecordingTerms) {
  if (terms.limits.items === 0) throw new KotefError('usage', 'No lessons are kept here: `lessons.items` is 0.')
  const { lessons: list, lesson } = withLesson(lessons, draft, terms)
  if (lesson === null) throw new KotefError('usage', 'The lesson has no text.')
  return { lessons: list, result: lesson }
}

/** The files that a lesson is about: those that were named, else the scope of the intent that it was learned with. */
export function lessonFiles(named: readonly string[], intent: Pick<Intent, 'owned_scope'> | null): readonly string[] {
  if (named.length > 0) return named
  return (intent?.owned_scope ?? []).filter(it => !it.startsWith('!'))
}

/** Removes the lesson whose id begins so, from the file and from those that wait, and returns it. */
export async function dropLesson(workspace: Workspace, id: string): Promise<Lesson> {
  const { lessons, waiting } = await loadLessons(workspace, await loadConfig(workspace))
  const dropped = lessonWithId(lessons, id)
  const isOther = (it: Lesson) => knownLesson([dropped], it) === undefined
  const isOnlyWaiting = waiting.some(it => it.id === dropped.id && it.seen === dropped.seen)
  if (!isOnlyWaiting) await editLessons(workspace, list => ({ lessons: list.filter(isOther), result: null }))
  await editWaiting(workspace, async list => ({ lessons: list.filter(isOther), result: null }))
  return dropped
}

function lessonWithId(lessons: readonly Lesson[], id: string): Lesson {
  const [found, ...more] = lessons.filter(it => id !== '' && it.id.startsWith(id))
  if (!found) throw new KotefError('unknown-lesson', `No lesson has the id ${printable(id)}.`)
  if (more.length > 0) throw new KotefError('unknown-lesson', `${more.length + 1} ids begin with ${printable(id)}.`)
  return found
}
