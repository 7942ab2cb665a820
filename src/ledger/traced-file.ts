import type { Hunk } from '../git/diff/hunks.ts'
import { byteLines } from '../text/lines.ts'
import { contentHash, lineHashes, type RangeHasher } from './content-hash.ts'
import { sessionUrl } from './session-url.ts'
import type { Contributor, TracedChange, TracedFile, TracedRange } from './record.ts'

/** Whose lines they are: the part of a file's trace that does not depend on its content. */
export type Credit = {
  readonly contributor: Contributor
  /** A session's id, or null. */
  readonly session: string | null
  readonly intent: string | null
}

/** A file's entry in a record, by both spellings. */
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

/** The ranges that a diff's hunks added to a text, with their hashes. */
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

/** The one hunk of a text that was not there before, or is not there any more. */
export function wholeHunk(before: Uint8Array | null, after: Uint8Array | null): Hunk[] {
  const lines = before ? byteLines(before).length : 0
  const addedLines = after ? byteLines(after).length : 0
  return lines + addedLines === 0 ? [] : [{ line: 1, lines, addedLine: 1, addedLines }]
}

/** What a diff's hunks took away, in lines of the text before. */
export function removedRanges(hunks: readonly Hunk[]): TracedChange['removed'] {
  return hunks.filter(it => it.lines > 0).map(({ line, lines }) => ({ start_line: line, lines }))
}
