import { type CommitPatch, marker, PATCHES, patchReader } from '../diff/patch.ts'
import type { Git } from '../io/git.ts'
import { streamedLines } from '../io/lines.ts'

/** What some commits did, in their order, as much of it at a time as memory likes. */
export async function* patchesOf(
  git: Git,
  commits: readonly string[],
  xxh32: (bytes: Uint8Array) => number,
): AsyncGenerator<readonly CommitPatch[], void> {
  if (commits.length === 0) return
  const reader = patchReader(marker(xxh32))
  let patches: CommitPatch[] = []
  let bytes = 0
  const take = (patch: CommitPatch | null): void => void (patch && patches.push(patch))
  for await (const lines of streamedLines(git.piped(PATCHES, { input: `${commits.join('\n')}\n` }))) {
    for (const line of lines) {
      bytes += line.length
      take(reader.line(line))
    }
    if (bytes < SEGMENT_BYTES || patches.length === 0) continue
    yield patches
    ;[patches, bytes] = [[], 0]
  }
  take(reader.end())
  if (patches.length > 0) yield patches
}

const SEGMENT_BYTES = 64 * 2 ** 20
