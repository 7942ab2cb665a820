import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { presentFiles } from '../../core/git/present-files.ts'
import type { Config } from '../../core/intents/config.ts'
import { nullWhenAbsent } from '../io/files/files.ts'
import { withLock } from '../io/files/lock.ts'
import type { Lesson } from '../../core/lessons/lesson.ts'
import {
  boundLessons,
  knownLesson,
  lessonsInUse,
  markAhead,
  type RecordingTerms,
  stillWaiting,
  withWaiting,
} from '../../core/lessons/lesson-list.ts'
import { LESSONS_FILES, type LessonsFile, readLessonsFile, withLessons } from '../../core/lessons/lessons-file.ts'
import { fileLookup, literalFolder } from '../../core/lessons/named-files.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import { ownPath } from '../io/worktree/layout.ts'
import { announceOwnWrite } from '../io/worktree/own-writes.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { settleStaged, type StagedLessons } from './staged-lessons.ts'
import { editWaiting, forgetWaiting, waitingLessons } from './waiting-lessons.ts'

/** The lessons of a worktree, the text around them, and those that the file does not have yet, or not so often. */
export type KnownLessons = LessonsFile & { readonly path: string; readonly waiting: readonly Lesson[] }

/** The lessons of a worktree: those in the file, and those that wait. Lessons whose files are gone are left out. */
export async function loadLessons(
  workspace: Workspace,
  { lessons: { file } }: Pick<Config, 'lessons'>,
): Promise<KnownLessons> {
  const path = LESSONS_FILES[file]
  const read = readLessonsFile(await bytesAt(workspace, path))
  const staged = await settleStaged(workspace)
  const outside = stillOutside(read.lessons, await waitingLessons(workspace), staged)
  const isThere = await lookupFor(workspace, [...read.lessons, ...outside])
  const waiting = lessonsInUse(outside, isThere)
  return { ...read, path, waiting, lessons: lessonsInUse(withWaiting(read.lessons, waiting), isThere) }
}

// A commit that was stopped has left some in the file.
function stillOutside(
  lessons: readonly Lesson[],
  waiting: readonly Lesson[],
  staged: StagedLessons | null,
): readonly Lesson[] {
  const inside = staged?.lessons.filter(it => knownLesson(lessons, it)) ?? []
  return stillWaiting(waiting, inside)
}

/** Puts the lessons that wait into the file, and returns them. */
export async function applyWaiting(
  workspace: Workspace,
): Promise<{ readonly path: string; readonly applied: readonly Lesson[] }> {
  const { path, waiting } = await loadLessons(workspace, await loadConfig(workspace))
  if (waiting.length > 0) await editLessons(workspace, addingWaiting(waiting))
  await forgetWaiting(workspace, waiting)
  return { path, applied: waiting }
}

/** The edit of the file that adds lessons. It returns those that the limits have room for. */
export function addingWaiting(waiting: readonly Lesson[]): LessonsEdit<readonly Lesson[]> {
  return (lessons, { limits }) => {
    const list = boundLessons(withWaiting(lessons, waiting), limits)
    return { lessons: list, result: waiting.filter(it => knownLesson(list, it)) }
  }
}

/** Makes a list of another one, and a result. It runs under the lock of the lessons, and may throw to refuse. */
type LessonsEdit<T> = (
  lessons: readonly Lesson[],
  terms: RecordingTerms,
) => { readonly lessons: readonly Lesson[]; readonly result: T }

/** Edits the list in the file of this worktree. Nothing else in the file changes. */
export async function editLessons<T>(
  workspace: Workspace,
  edit: LessonsEdit<T>,
  options: { readonly waitMsMax?: number } = {},
): Promise<T> {
  const work = async (): Promise<T> => {
    const { result, ...planned } = await planEdit(workspace, edit)
    await writeList(workspace, planned)
    return result
  }
  return withLessonsLock(workspace, work, options)
}

/** Does some work while nobody else changes the file of the lessons. */
export function withLessonsLock<T>(
  workspace: Workspace,
  work: () => Promise<T>,
  options: { readonly waitMsMax?: number } = {},
): Promise<T> {
  return withLock(ownPath(workspace, 'lessons.lock'), work, options)
}

/** An edit of the file that is not written yet. */
export type PlannedEdit = { readonly path: string; readonly before: Buffer; readonly after: Buffer }

/** What an edit makes of the file, and its result. Throws when the file can't be written. */
export async function planEdit<T>(
  workspace: Workspace,
  edit: LessonsEdit<T>,
): Promise<PlannedEdit & { readonly result: T }> {
  const { lessons: settings } = await loadConfig(workspace)
  const path = LESSONS_FILES[settings.file]
  const before = await bytesAt(workspace, path)
  const { lessons, problem } = readLessonsFile(before)
  await refuseUnwritable(workspace, { path, problem })
  const today = dayOf(workspace)
  const dated = (await withoutGone(workspace, lessons)).map(it => (it.at === '' ? { ...it, at: today } : it))
  const edited = edit(dated, { today, limits: settings })
  const list = await markedAhead(workspace, edited.lessons, dated)
  return { path, before, after: withLessons(before, list), result: edited.result }
}

/** Edits the lessons that wait for the file, on its terms. A file that git ignores is edited itself. */
export async function editLessonsOutside<T>(
  workspace: Workspace,
  edit: LessonsEdit<T>,
  options: { readonly waitMsMax?: number } = {},
): Promise<T> {
  const { lessons: settings } = await loadConfig(workspace)
  if (await workspace.git.ask(isIgnored(LESSONS_FILES[settings.file]))) return editLessons(workspace, edit, options)
  await settleStaged(workspace)
  const work = async (waiting: readonly Lesson[]) => {
    // Nobody edits them meanwhile.
    const { lessons, result } = edit(waiting, { today: dayOf(workspace), limits: settings, rewords: true })
    return { lessons: await markedAhead(workspace, lessons, waiting), result }
  }
  return editWaiting(workspace, work, options)
}

function isIgnored(path: string): GitQuery<boolean> {
  return { args: ['check-ignore', '--', path], parse: out => out !== '' }
}

async function markedAhead(
  workspace: Workspace,
  lessons: readonly Lesson[],
  before: readonly Lesson[],
): Promise<Lesson[]> {
  const added = lessons.filter(it => !before.some(({ id }) => id === it.id))
  return markAhead(lessons, before, await lookupFor(workspace, added))
}

function dayOf({ clock }: Workspace): string {
  return new Date(clock.now()).toISOString().slice(0, 10)
}

async function bytesAt({ files, root }: Workspace, path: string): Promise<Buffer> {
  return (await files.read(join(root, path))) ?? Buffer.alloc(0)
}

// What git has not merged, a person reads and settles; a link leads to a file that the config does not name.
async function refuseUnwritable(workspace: Workspace, { path, problem }: FileState): Promise<void> {
  if (problem === 'markers') throw unwritable(`${path} lacks one of the two markers around the list of lessons.`)
  const { unmerged } = await workspace.git.ask(presentFiles([path]))
  if (problem === 'conflict' || unmerged.has(path)) throw unwritable(`${path} has a conflict that git could not merge.`)
  const found = await lstat(join(workspace.root, path)).catch(nullWhenAbsent)
  if (found && !found.isFile()) throw unwritable(`${path} is not a regular file.`)
}

type FileState = { readonly path: string; readonly problem: LessonsFile['problem'] }

function unwritable(what: string): KotefError {
  return new KotefError('lessons-unwritable', what)
}

/** Writes the file. Throws when somebody saves it in an editor meanwhile. */
export async function writeList(workspace: Workspace, { path, before, after }: PlannedEdit): Promise<void> {
  if (after.equals(before)) return
  if (!(await bytesAt(workspace, path)).equals(before)) throw changedMeanwhile(path)
  await announceOwnWrite(workspace, after)
  await workspace.files.replace(join(workspace.root, path), after)
  if (!(await bytesAt(workspace, path)).equals(after)) throw changedMeanwhile(path)
}

function changedMeanwhile(path: string): KotefError {
  return unwritable(`${path} was changed by another program at the same moment.`)
}

async function withoutGone(workspace: Workspace, lessons: readonly Lesson[]): Promise<Lesson[]> {
  return lessonsInUse(lessons, await lookupFor(workspace, lessons))
}

// Git is asked only where a lesson names files.
async function lookupFor({ git }: Workspace, lessons: readonly Lesson[]): Promise<(glob: string) => boolean> {
  const named = [...new Set(lessons.flatMap(it => it.paths.map(literalFolder)))]
  if (named.length === 0) return () => false
  // Without a path git lists all files, which is right where a glob may match any of them.
  const { paths } = await git.ask(presentFiles(named.includes('') ? [] : named))
  return fileLookup(paths)
}
