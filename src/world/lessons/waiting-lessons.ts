import { join } from 'node:path'
import { withLock } from '../io/files/lock.ts'
import type { Lesson } from '../../core/lessons/lesson.ts'
import { stillWaiting } from '../../core/lessons/lesson-list.ts'
import { readLessonsFile, withLessons } from '../../core/lessons/lessons-file.ts'
import { layoutOf, WAITING_LESSONS } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * The lessons that wait outside of the worktree, until a commit or a person puts them into the file of the lessons: a
 * change of a tracked file that nobody asked for would stop the next `git pull --rebase` or `git switch`. All worktrees
 * of the clone share them, because a worktree is often removed when its work is done.
 */
export async function waitingLessons(workspace: Workspace): Promise<readonly Lesson[]> {
  // A file that can't be read must not keep a context from an agent.
  return readWaiting(workspace).catch(() => [])
}

async function readWaiting(workspace: Workspace): Promise<readonly Lesson[]> {
  const bytes = await workspace.files.read(waitingPath(workspace))
  return bytes ? readLessonsFile(bytes).lessons.filter(it => !hasOutput(it)) : []
}

// An earlier version put a line of the output and the command as it was typed into them.
function hasOutput({ by, text }: Lesson): boolean {
  return by === 'check' && OLD_TEXT.test(text)
}

const OLD_TEXT = /\bfailed(?: with ".*")? \([\da-f]{16}\) until /

type WaitingEdit<T> = (
  waiting: readonly Lesson[],
) => Promise<{ readonly lessons: readonly Lesson[]; readonly result: T }>

/** Edits the lessons that wait, under their lock. */
export async function editWaiting<T>(
  workspace: Workspace,
  edit: WaitingEdit<T>,
  options: { readonly waitMsMax?: number } = {},
): Promise<T> {
  const path = waitingPath(workspace)
  const work = async (): Promise<T> => {
    const { lessons, result } = await edit(await readWaiting(workspace))
    // The git hooks ask only whether there is a file.
    if (lessons.length === 0) await workspace.files.remove(path)
    else await workspace.files.replace(path, withLessons(Buffer.alloc(0), lessons), PRIVATE_MODE)
    return result
  }
  return withLock(`${path}.lock`, work, options)
}

const PRIVATE_MODE = 0o600

/** Forgets lessons that are in the file of the lessons now, as often as they were counted there. */
export async function forgetWaiting(
  workspace: Workspace,
  arrived: readonly Pick<Lesson, 'id' | 'seen'>[],
): Promise<void> {
  if (arrived.length === 0) return
  await editWaiting(workspace, async waiting => ({ lessons: stillWaiting(waiting, arrived), result: null }))
}

function waitingPath(workspace: Workspace): string {
  return join(layoutOf(workspace).shared, WAITING_LESSONS)
}
