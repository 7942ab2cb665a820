import type { Blobs } from '../io/git/blobs.ts'
import { isLessonsPath, listLines } from '../../core/lessons/lessons-file.ts'
import { blockLines } from '../../core/code/map/map-block.ts'
import { byteLines } from '../../core/base/lines.ts'
import { INTENT_MAP_PATH, isRegistryPath } from '../../core/base/governance-files.ts'

/**
 * The numbers of the lines that kotef itself wrote into a file of a commit: the list of lessons, of which each line
 * says who recorded it, the block of the intent map, and the registry, which its verbs write. None for any other file.
 */
export async function generatedLines(
  blobs: Pick<Blobs, 'read'>,
  commit: string,
  path: string,
): Promise<ReadonlySet<number>> {
  const isOfRegistry = isRegistryPath(path)
  if (!isLessonsPath(path) && path !== INTENT_MAP_PATH && !isOfRegistry) return NO_LINES
  const bytes = await blobs.read(`${commit}:${path}`)
  if (bytes === null) return NO_LINES
  if (isOfRegistry) return new Set(Array.from(byteLines(bytes), (_, n) => n + 1))
  return isLessonsPath(path) ? listLines(bytes) : blockLines(bytes.toString('latin1'))
}

const NO_LINES: ReadonlySet<number> = new Set()
