import { join } from 'node:path'
import { lessonsIn } from '../../../core/agents/context/lessons.ts'
import { waitingLessons } from '../../lessons/waiting-lessons.ts'
import { mergeLessons } from '../../../core/lessons/lesson-list.ts'
import { LESSONS_FILES, readLessonsFile } from '../../../core/lessons/lessons-file.ts'
import { openIndex } from '../../../core/code/map/place-index.ts'
import { findPlaces, type FoundPlace } from '../../../core/code/map/where.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { indexOfHead } from './code-index.ts'

/** The intents, declarations, files and lessons that a question is about, the best first. */
export async function whereIs(
  workspace: Workspace,
  { question, limit, progress = () => {} }: PlacesWish,
): Promise<FoundPlace[]> {
  const stored = await indexOfHead(workspace, progress)
  const lessons = await readLessons(workspace)
  return findPlaces(openIndex(stored, lessons), question, limit)
}

type PlacesWish = {
  readonly question: string
  readonly limit: number
  /** Takes the share of the files whose history is read, where that is not kept. */
  readonly progress?: (share: number) => void
}

/** How many places an answer has, unless the caller wants another number. */
export const PLACES_SHOWN = 20

// The list may be in either file. What people write in the prompt file of an agent is not a list of lessons.
async function readLessons(workspace: Workspace): Promise<string[]> {
  const { files, root } = workspace
  const textOf = (path: string) => files.read(join(root, path)).catch(() => null)
  const [shared, prompt] = await Promise.all(
    Object.values(LESSONS_FILES).map(async path => readLessonsFile((await textOf(path)) ?? Buffer.alloc(0))),
  )
  const recorded = mergeLessons(shared!.lessons, prompt!.lessons, await waitingLessons(workspace)).map(it => it.text)
  return [...lessonsIn(shared!.outside, ['**']), ...recorded]
}
