import { join } from 'node:path'
import { lessonsIn } from '../context/lessons.ts'
import { openIndex } from '../map/place-index.ts'
import { findPlaces, type FoundPlace } from '../map/where.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { indexOfHead } from './code-index.ts'

/** The intents, declarations, files and lessons that a question is about, the best first. */
export async function whereIs(workspace: Workspace, question: string, limit: number): Promise<FoundPlace[]> {
  const [stored, lessons] = [await indexOfHead(workspace), await readLessons(workspace)]
  return findPlaces(openIndex(stored, lessons), question, limit)
}

/** How many places an answer has, unless the caller wants another number. */
export const PLACES_SHOWN = 20

async function readLessons({ files, root }: Workspace): Promise<string[]> {
  const bytes = await files.read(join(root, '.orchestration/AGENT.md')).catch(() => null)
  return lessonsIn(bytes?.toString('utf8') ?? '', ['**'])
}
