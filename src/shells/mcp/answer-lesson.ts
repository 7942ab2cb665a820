import { findIntent } from '../../core/intents/intent.ts'
import { keepLesson, lessonFiles } from '../../world/lessons/record-lesson.ts'
import { lessonPaths } from '../../core/lessons/lesson.ts'
import { loadRegistry } from '../../world/intents/policy/load-policy.ts'
import type { Payload } from '../../core/base/payload.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** The arguments of the call, the selected intent, and the agent. */
type LessonCall = { readonly args: Payload; readonly intent: string; readonly by: string }

/** Records the lesson of an agent. Without paths it is about the scope of the selected intent. */
export async function recordAgentLesson(workspace: Workspace, { args, intent: id, by }: LessonCall) {
  const { text, paths } = args
  const named = lessonPaths((Array.isArray(paths) ? paths : []).filter(it => typeof it === 'string'))
  const intent = findIntent((await loadRegistry(workspace)).intents, id)
  const draft = { signature: null, text: typeof text === 'string' ? text : '', paths: lessonFiles(named, intent) }
  const lesson = await keepLesson(workspace, { ...draft, intent: id, by })
  const again = lesson.seen === 1 ? '' : ` It was known, and is recorded ${lesson.seen} times by now.`
  return { text: `Lesson ${lesson.id} is recorded: ${lesson.text}${again}`, more: { lesson } }
}
