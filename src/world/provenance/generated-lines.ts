import type { Blobs } from '../io/git/blobs.ts'
import { isLessonsPath, listLines } from '../../core/lessons/lessons-file.ts'
import { blockLines } from '../../core/code/map/map-block.ts'
import { INTENT_MAP_PATH } from '../../core/base/governance-files.ts'

/**
 * The numbers of the lines that kotef itself wrote into a file of a commit: the list of lessons, of which each line
 * says who recorded it, and the block of the intent map. None for any other file.
 */
export async function generatedLines(
  blobs: Pick<Blobs, 'read'>,
  commit: string,
  path: string,
): Promise<ReadonlySet<number>> {
  if (!isLessonsPath(path) && path !== INTENT_MAP_PATH) return NO_LINES
  const bytes = await blobs.read(`${commit}:${path}`)
  if (bytes === null) return NO_LINES
  return isLessonsPath(path) ? listLines(bytes) : blockLines(bytes.toString('latin1'))
}

const NO_LINES: ReadonlySet<number> = new Set()
