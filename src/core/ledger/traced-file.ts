import type { Hunk } from '../git/diff/hunks.ts'
import { byteLines } from '../base/lines.ts'
import { contentHash, lineHashes, type RangeHasher } from './content-hash.ts'
import { sessionUrl } from './session-url.ts'
import type { Contributor, TracedChange, TracedFile, TracedRange } from './record.ts'

/** The author of a write, its session and its intent. */
export type Credit = {
  readonly contributor: Contributor
  /** A session's id, or null. */
  readonly session: string | null
  readonly intent: string | null
}

/** The entry of a file in a record, with the field names of both formats. */
export function tracedFile(
  path: string,
  change: TracedChange,
  { ranges, credit }: { ranges: readonly TracedRange[]; credit: Credit },
): TracedFile {
  const { contributor, session, intent } = credit
  return {
    path,
    relative_path: path,
    conversations: [
      {
        ...(session === null ? {} : { url: sessionUrl(session) }),
        contributor,
        ranges,
        related: intent === null ? [] : [{ type: 'intent', url: `intent:${intent}`, value: intent }],
      },
    ],
    kotef: change,
  }
}

/** The ranges that some hunks add to a text, with their hashes. */
export function tracedRanges(after: Uint8Array, hunks: readonly Hunk[], hasher: RangeHasher): TracedRange[] {
  const lines = byteLines(after)
  return hunks
    .filter(it => it.addedLines > 0)
    .map(({ addedLine, addedLines }) => {
      const added = lines.slice(addedLine - 1, addedLine - 1 + addedLines)
      return {
        start_line: addedLine,
        end_line: addedLine + addedLines - 1,
        content_hash: contentHash(hasher, added),
        line_hashes: lineHashes(hasher, added),
      }
    })
}

/** The only hunk of a new or deleted text. */
export function wholeHunk(before: Uint8Array | null, after: Uint8Array | null): Hunk[] {
  const lines = before ? byteLines(before).length : 0
  const addedLines = after ? byteLines(after).length : 0
  return lines + addedLines === 0 ? [] : [{ line: 1, lines, addedLine: 1, addedLines }]
}

/** The ranges that some hunks remove, as lines of the text before. */
export function removedRanges(hunks: readonly Hunk[]): TracedChange['removed'] {
  return hunks.filter(it => it.lines > 0).map(({ line, lines }) => ({ start_line: line, lines }))
}
