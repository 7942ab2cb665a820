import { KotefError } from '../../../core/base/failure.ts'
import { findIntent } from '../../../core/intents/intent.ts'
import { lastLessonFailure } from '../../../world/lessons/record-seen.ts'
import { dropLesson, keepLesson, lessonFiles, recordLesson } from '../../../world/lessons/record-lesson.ts'
import { applyWaiting, loadLessons } from '../../../world/lessons/lessons-on-disk.ts'
import type { Lesson } from '../../../core/lessons/lesson.ts'
import { knownLesson } from '../../../core/lessons/lesson-list.ts'
import type { Config } from '../../../core/intents/config.ts'
import { malformation } from '../../../core/base/globs.ts'
import { loadConfig, loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import { lessonLines } from '../../../core/report/lesson-lines.ts'
import { momentText } from '../../../core/report/local-time.ts'
import { escapeForTerminal, plural, printable } from '../../../core/base/printable.ts'
import { openWorkspace, type Workspace } from '../../../world/io/worktree/workspace.ts'
import { answererOf } from '../person.ts'
import { firstArgument, lineOption, listOption, type RunVerb, type VerbCall } from '../verb.ts'

/** `kotef lesson add`: records something that the next agent or person should know. */
export const addLesson: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const paths = globsOption(call)
  const id = lineOption(call, 'intent')
  // Without a registry nothing is governed here, and no agent would read it.
  const { intents } = await loadRegistry(workspace)
  const intent = id === null ? null : findIntent(intents, id)
  const draft = { signature: null, text: firstArgument(call), paths: lessonFiles(paths, intent), intent: id }
  const by = await recorder(call, workspace)
  const lesson = await (by === PERSON ? recordLesson : keepLesson)(workspace, { ...draft, by })
  const again = lesson.seen === 1 ? '' : ` again, ${lesson.seen} times by now`
  return { text: `Lesson ${lesson.id} is recorded${again}: ${escapeForTerminal(lesson.text)}`, json: { lesson } }
}

function globsOption(call: VerbCall): string[] {
  const globs = listOption(call, 'path') ?? []
  const wrong = globs.find(it => malformation(it) !== null)
  if (wrong === undefined) return globs
  throw new KotefError('usage', `--path takes ${malformation(wrong)}, not ${printable(wrong)}.`)
}

// An agent's own processes know its session; what runs in a program of an agent without one is that agent's.
async function recorder(call: VerbCall, workspace: Workspace): Promise<string> {
  const answerer = await answererOf(call, workspace)
  if (answerer.who !== 'agent') return PERSON
  const { agent, session } = answerer
  return agent === null || session === null ? 'agent' : `${agent}/${session.slice(0, SESSION_CHARS)}`
}

const PERSON = 'person'

const SESSION_CHARS = 8

/** `kotef lesson list`: lists the lessons of this worktree. */
export const listLessons: RunVerb = async ({ cwd }) => {
  const workspace = await openWorkspace(cwd)
  const config = await loadConfig(workspace)
  const { path, lessons, waiting, problem } = await loadLessons(workspace, config)
  const failure = await lastLessonFailure(workspace)
  const remarks = [
    ...(waiting.length === 0 ? [] : [waitingLine(waiting.length, path, config.lessons)]),
    ...(problem === null ? [] : [`problem  ${path} ${PROBLEMS[problem]}`]),
    ...(failure === null ? [] : [failureLine(failure, workspace.clock.now())]),
  ]
  const lines = lessons.length === 0 && problem === null ? [NO_LESSON] : lessonLines(lessons)
  const isWaiting = (it: Lesson) => knownLesson(waiting, it) !== undefined
  return {
    text: [...lines, ...remarks].join('\n'),
    json: { file: path, lessons: lessons.map(it => ({ ...listed(it), waiting: isWaiting(it) })), problem, failure },
  }
}

function waitingLine(count: number, path: string, { update }: Config['lessons']): string {
  const go = count === 1 ? 'goes' : 'go'
  const when = update === 'asked' ? '' : " with the next commit during an agent's session, or now"
  return `waiting  ${plural(count, 'lesson')} ${go} into ${path}${when} by \`kotef lesson apply\``
}

const NO_LESSON = "No lessons yet. Record one with `kotef lesson add 'what the next one should know'`"

const PROBLEMS = {
  conflict: 'has a conflict that git could not merge.',
  markers: 'lacks one of the two markers around the list of lessons.',
}

function failureLine({ at, why }: { at: string; why: string }, now: number): string {
  return `problem  A lesson could not be written (${momentText(at, now)}): ${escapeForTerminal(why)}`
}

function listed({ id, text, paths, intent, by, at, seen }: Lesson) {
  return { id, text, paths, intent, by, at, seen }
}

/** `kotef lesson apply`: puts the lessons that wait into the file. */
export const applyLessons: RunVerb = async ({ cwd }) => {
  const { path, applied } = await applyWaiting(await openWorkspace(cwd))
  const text =
    applied.length === 0
      ? 'No lesson waits.'
      : `${plural(applied.length, 'lesson')} written into ${path}. Commit it with your work.`
  return { text, json: { file: path, lessons: applied.map(listed) } }
}

/** `kotef lesson drop`: removes a lesson. */
export const removeLesson: RunVerb = async call => {
  const lesson = await dropLesson(await openWorkspace(call.cwd), firstArgument(call))
  return { text: `Lesson ${lesson.id} is dropped: ${escapeForTerminal(lesson.text)}`, json: { lesson } }
}
