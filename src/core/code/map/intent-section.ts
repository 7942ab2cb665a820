import { splitAtMarkers } from './map-block.ts'
import type { MapEntry } from './map-entry.ts'
import { readMapBlock } from './map-text.ts'

/** The entries of one intent in the text of a map's file; none where it has no section, or the markers are damaged. */
export function entriesOfIntent(text: string, intent: string): readonly MapEntry[] {
  const block = splitAtMarkers(text)?.block ?? ''
  // A map has a line for each declaration of the repository, and only one section is wanted.
  const heading = `\n## ${intent}`
  const start = [`${heading}\n`, `${heading}\r\n`, `${heading} `].map(it => block.indexOf(it)).find(it => it !== -1)
  if (start === undefined) return []
  const end = block.indexOf('\n## ', start + 1)
  return readMapBlock(block.slice(start, end === -1 ? undefined : end)).entries
}
