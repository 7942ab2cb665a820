import { intentName } from '../../../core/authorship/line-intent.ts'
import { openBlobs } from '../../../world/io/git/blobs.ts'
import type { LineQuery } from '../pages/links.ts'
import type { LinesFacts, ListedLine } from '../pages/lines-page.tsx'
import { byteLines } from '../../../core/base/lines.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askLines } from './line-facts.ts'
import { type LineList, lineQueryOf, LINES_A_PAGE } from './line-query.ts'
import { listRangeLines } from './range-lines.ts'
import { type SelectedRange, selectLines } from './select-lines.ts'

/** A page of a list of lines, as far as it is known when `wait` is over; null waits for all of it. */
export async function gatherLines(
  workspace: Workspace,
  params: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<LinesFacts> {
  const query = lineQueryOf(params)
  const list = await (query.range === undefined
    ? listHistoryLines(workspace, query, wait)
    : listRangeLines(workspace, { ...query, range: query.range }, wait))
  const lines = await withTexts(workspace, list.lines)
  return { now: workspace.clock.now(), query, pageLength: LINES_A_PAGE, ...list, lines }
}

async function listHistoryLines(
  workspace: Workspace,
  query: LineQuery,
  wait: Promise<unknown> | null,
): Promise<LineList> {
  const { history, surviving } = await askLines(workspace, wait)
  const { isCurrent, share, failure } = query.alive === 'yes' && history.isCurrent ? surviving : history
  const isKnown = query.alive !== 'yes' || surviving.value !== null
  const ranges = history.value && isKnown ? selectLines(history.value.commits, query, surviving.value) : []
  const total = ranges.reduce((sum, it) => sum + it.range.lines, 0)
  return { total, lines: linesFrom(ranges, query.from ?? 0), reading: { isCurrent, share, failure } }
}

/** The lines of a page, from a number on. */
function linesFrom(ranges: readonly SelectedRange[], from: number): ListedLine[] {
  const lines: ListedLine[] = []
  let skipped = 0
  for (const selected of ranges) {
    const count = selected.range.lines
    for (let n = Math.max(0, from - skipped); n < count && lines.length < LINES_A_PAGE; n++)
      lines.push(listedLine(selected, n))
    skipped += count
    if (lines.length === LINES_A_PAGE) break
  }
  return lines
}

function listedLine({ commit: { commit, at, isNoted }, range }: SelectedRange, n: number): ListedLine {
  const { path, line, owner } = range
  return {
    commit,
    at,
    path,
    line: line + n,
    text: null,
    intent: intentName(owner),
    author: { kind: owner.type, model: owner.model },
    isNoted,
    now: 'headPath' in range ? { path: range.headPath, line: range.headLine + n } : null,
  }
}

/** The texts of lines, as their commits have them. */
async function withTexts({ root }: Workspace, lines: readonly ListedLine[]): Promise<ListedLine[]> {
  await using blobs = openBlobs(root, { localOnly: true })
  const texts = new Map<string, Promise<readonly Uint8Array[]>>()
  const linesOf = (name: string) => {
    // The name is a line of git's input.
    const read = name.includes('\n') ? Promise.resolve(null) : blobs.read(name)
    const found = texts.get(name) ?? read.then(it => (it ? byteLines(it) : []))
    texts.set(name, found)
    return found
  }
  return Promise.all(
    lines.map(async it => {
      const bytes = (await linesOf(`${it.commit}:${it.path}`))[it.line - 1]
      return { ...it, text: bytes === undefined ? null : textOf(bytes) }
    }),
  )
}

function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('utf8')
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX)}…` : text
}

const TEXT_CHARS_MAX = 400
