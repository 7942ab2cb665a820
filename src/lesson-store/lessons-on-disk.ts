import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { KotefError } from '../findings/failure.ts'
import { presentFiles } from '../git/present-files.ts'
import type { Config } from '../intents/config.ts'
import { nullWhenAbsent } from '../io/files/files.ts'
import { withLock } from '../io/files/lock.ts'
import type { Lesson } from '../lessons/lesson.ts'
import { lessonsInUse, type LessonLimits, markAhead } from '../lessons/lesson-list.ts'
import { LESSONS_FILES, type LessonsFile, readLessonsFile, withLessons } from '../lessons/lessons-file.ts'
import { fileLookup, literalFolder } from '../lessons/named-files.ts'
import { loadConfig } from '../policy/load-policy.ts'
import { ownPath } from '../worktree/layout.ts'
import { announceOwnWrite } from '../worktree/own-writes.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The file with the lessons of a worktree, with its path in it. Lessons whose files are gone are left out. */
export async function loadLessons(
  workspace: Workspace,
  { lessons: { file } }: Pick<Config, 'lessons'>,
): Promise<LessonsFile & { readonly path: string }> {
  const path = LESSONS_FILES[file]
  const read = readLessonsFile(await bytesAt(workspace, path))
  return { ...read, path, lessons: await withoutGone(workspace, read.lessons) }
}

/** Makes a list of another one, and a result. It runs under the lock of the lessons, and may throw to refuse. */
type LessonsEdit<T> = (
  lessons: readonly Lesson[],
  terms: { readonly today: string; readonly limits: LessonLimits },
) => { readonly lessons: readonly Lesson[]; readonly result: T }

/** Edits the list in the file of this worktree. Nothing else in the file changes. */
export async function editLessons<T>(
  workspace: Workspace,
  edit: LessonsEdit<T>,
  waiting: { readonly waitMsMax?: number } = {},
): Promise<T> {
  const { lessons: settings } = await loadConfig(workspace)
  const path = LESSONS_FILES[settings.file]
  const work = async (): Promise<T> => {
    const before = await bytesAt(workspace, path)
    const { lessons, problem } = readLessonsFile(before)
    await refuseUnwritable(workspace, { path, problem })
    const today = new Date(workspace.clock.now()).toISOString().slice(0, 10)
    const dated = (await withoutGone(workspace, lessons)).map(it => (it.at === '' ? { ...it, at: today } : it))
    const edited = edit(dated, { today, limits: settings })
    const added = edited.lessons.filter(it => !dated.some(({ id }) => id === it.id))
    const list = markAhead(edited.lessons, dated, await lookupFor(workspace, added))
    await writeList(workspace, path, { before, after: withLessons(before, list) })
    return edited.result
  }
  return withLock(ownPath(workspace, 'lessons.lock'), work, waiting)
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

type Bytes = { readonly before: Buffer; readonly after: Buffer }

// Somebody may save the file in an editor meanwhile.
async function writeList(workspace: Workspace, path: string, { before, after }: Bytes): Promise<void> {
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
