import { type CommitPatch, lineMarker, PATCH_ARGS, patchReader } from '../git/diff/patch.ts'
import type { Git } from '../io/git/git.ts'
import { streamLines } from '../io/process/stream-lines.ts'

/** The patches of some commits, in their order, in parts of at most about 64 MiB. */
export async function* readPatches(
  git: Git,
  commits: readonly string[],
  xxh32: (bytes: Uint8Array) => number,
): AsyncGenerator<readonly CommitPatch[], void> {
  if (commits.length === 0) return
  const reader = patchReader(lineMarker(xxh32))
  let patches: CommitPatch[] = []
  let bytes = 0
  const keep = (patch: CommitPatch | null): void => void (patch && patches.push(patch))
  for await (const lines of streamLines(git.streamWithInput(PATCH_ARGS, { input: `${commits.join('\n')}\n` }))) {
    for (const line of lines) {
      bytes += line.length
      keep(reader.line(line))
    }
    if (bytes < SEGMENT_BYTES || patches.length === 0) continue
    yield patches
    ;[patches, bytes] = [[], 0]
  }
  keep(reader.end())
  if (patches.length > 0) yield patches
}

// Bounds the memory for one part; a single larger patch is a part of its own.
const SEGMENT_BYTES = 64 * 2 ** 20
