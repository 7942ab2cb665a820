/** A text with a generated block: the part up to the first marker, the block, and the part from the second one on. */
export type MarkedText = { readonly before: string; readonly block: string; readonly after: string }

// Each is a line of its own.
const BLOCK_BEGIN = '<!-- kotef:begin -->'
const BLOCK_END = '<!-- kotef:end -->'

/** Splits a text at its markers; null if they are not there exactly once, in order: a person has to repair them. */
export function splitAtMarkers(text: string): MarkedText | null {
  const begins = markersIn(text, BLOCK_BEGIN)
  const ends = markersIn(text, BLOCK_END)
  const [begin] = begins
  const [end] = ends
  if (!begin || !end || begins.length + ends.length !== 2 || end.start < begin.end) return null
  return { before: text.slice(0, begin.end), block: text.slice(begin.end, end.start), after: text.slice(end.start) }
}

/** The text with another block; what is outside of the markers stays byte for byte. */
export function withMapBlock({ before, after }: MarkedText, block: string): string {
  const lineEnd = before.endsWith('\r\n') ? '\r\n' : '\n'
  return before + block.replaceAll('\n', lineEnd) + after
}

/** The numbers of the lines between the markers, from 1; none for a text that is not marked. */
export function blockLines(text: string): ReadonlySet<number> {
  const { before = '', block = '' } = splitAtMarkers(text) ?? {}
  const first = linesIn(before) + 1
  const count = linesIn(block)
  return new Set(Array.from({ length: count }, (_, n) => first + n))
}

function linesIn(text: string): number {
  return text.split('\n').length - 1
}

function markersIn(text: string, marker: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + 1)) {
    const [rest = ''] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(at + marker.length)) ?? ['none']
    const isLine = (at === 0 || text[at - 1] === '\n') && rest !== 'none'
    if (isLine) found.push({ start: at, end: at + marker.length + rest.length })
  }
  return found
}
