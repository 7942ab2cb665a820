import { intentName } from '../../../core/authorship/line-intent.ts'
import type { FileColours, FileLine, FileView, LineBlock, LineGroup } from './file-facts.ts'

/** How many lines of a file a page shows. */
export const FILE_LINES_SHOWN = 500

/** What is asked of a file: the colours, the only group, and the first line among those of that group, from 0. */
type ViewWish = { readonly by: FileColours; readonly only: string | null; readonly from: number }

/** The lines of a file that a page shows, in blocks; the counts are of the whole file. */
export function fileView(lines: readonly FileLine[], texts: readonly string[], wish: ViewWish): FileView {
  const uncommitted = lines.filter(it => it.commit === null)
  const { only: key } = wish
  const wanted = key === null ? lines : lines.filter(it => isInGroup(it, key))
  const from = firstOfPage(wish.from, { rows: wanted.length, size: FILE_LINES_SHOWN })
  return {
    total: lines.length,
    uncommitted: uncommitted.length,
    groups: lineGroups(lines, it => groupOf(it, wish.by)),
    only: key === null ? null : { key, lines: wanted.length },
    from,
    blocks: blocksOf(wanted.slice(from, from + FILE_LINES_SHOWN), texts),
  }
}

/** The first row of the page that has a row: pages begin at multiples of their size. */
export function firstOfPage(row: number, { rows, size }: { readonly rows: number; readonly size: number }): number {
  const inside = Math.min(Math.max(0, Number.isSafeInteger(row) ? row : 0), Math.max(0, rows - 1))
  return inside - (inside % size)
}

/** The group of the lines that are not committed. */
export const UNCOMMITTED_GROUP = 'uncommitted'

/** The name of a line's group: an author in doubt is another one than without. */
function groupOf({ author, either }: FileLine, by: FileColours): string {
  if (by === 'intent') return `intent:${intentName({ intent: author.intent, either }) ?? ''}`
  const { type, model_id: model = '' } = author.contributor
  return `author:${type}${author.doubt === undefined ? '' : '?'}:${model}`
}

function isInGroup(line: FileLine, key: string): boolean {
  if (key === UNCOMMITTED_GROUP) return line.commit === null
  return groupOf(line, key.startsWith('author:') ? 'author' : 'intent') === key
}

function lineGroups(lines: readonly FileLine[], keyOf: (line: FileLine) => string): LineGroup[] {
  const groups = new Map<string, { key: string; sample: FileLine; lines: number }>()
  for (const sample of lines) {
    const key = keyOf(sample)
    const group = groups.get(key)
    if (group) group.lines++
    else groups.set(key, { key, sample, lines: 1 })
  }
  return [...groups.values()].sort((one, other) => other.lines - one.lines || (one.key < other.key ? -1 : 1))
}

function blocksOf(lines: readonly FileLine[], texts: readonly string[]): LineBlock[] {
  const blocks: { why: FileLine; lines: { number: number; text: string }[] }[] = []
  for (const why of lines) {
    const shown = { number: why.line, text: cutText(texts[why.line - 1] ?? '') }
    const last = blocks.at(-1)
    if (last && last.lines.at(-1)?.number === why.line - 1 && haveOneReason(last.why, why)) last.lines.push(shown)
    else blocks.push({ why, lines: [shown] })
  }
  return blocks
}

function haveOneReason(one: FileLine, other: FileLine): boolean {
  const a = one.author
  const b = other.author
  return (
    one.commit === other.commit &&
    one.record === other.record &&
    one.how === other.how &&
    a.intent === b.intent &&
    a.session === b.session &&
    a.attribution === b.attribution &&
    a.doubt === b.doubt &&
    a.contributor.type === b.contributor.type &&
    a.contributor.model_id === b.contributor.model_id
  )
}

/** The beginning of a line: a browser takes seconds for the layout of a line of a megabyte. */
export function cutText(text: string): string {
  return text.length <= LINE_CHARS_SHOWN ? text : `${text.slice(0, LINE_CHARS_SHOWN)} …`
}

const LINE_CHARS_SHOWN = 2_000
