import type { LineQuery } from '../pages/links.ts'
import type { ListedLine } from '../pages/lines-page.tsx'
import { readCommitSummaries } from '../../../world/provenance/commit-queries.ts'
import { type ReviewLine, reviewLines } from '../../../world/views/count-lines.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type LineList, LINES_A_PAGE } from './line-query.ts'
import { askReview, type JudgedReview } from './range-source.ts'
import { ownerTest } from './select-lines.ts'

type RangeLineQuery = LineQuery & { readonly range: string }

/** The lines that the commits of a range added, as `kotef report` counts them. */
export async function listRangeLines(
  workspace: Workspace,
  query: RangeLineQuery,
  wait: Promise<unknown> | null,
): Promise<LineList> {
  const { value, ...reading } = await askReview(workspace, query.range, wait)
  if (value === null) return { total: 0, lines: [], reading }
  return { ...(await pageOfLines(workspace, value, query)), reading }
}

async function pageOfLines(
  workspace: Workspace,
  judged: Pick<JudgedReview, 'commits' | 'owns'>,
  query: RangeLineQuery,
): Promise<Omit<LineList, 'reading'>> {
  const isWanted = lineTest(query)
  const from = query.from ?? 0
  const found = [] as ReviewLine[]
  let total = 0
  for await (const line of reviewLines(workspace, judged)) {
    if (!isWanted(line)) continue
    if (total >= from && found.length < LINES_A_PAGE) found.push(line)
    total++
  }
  const commits = [...new Set(found.map(it => it.commit))]
  const dates = await readCommitSummaries(workspace.git, commits)
  return { total, lines: found.map(it => listedLine(it, Date.parse(dates.get(it.commit)?.date ?? ''))) }
}

function lineTest(query: RangeLineQuery): (line: ReviewLine) => boolean {
  const isOwned = ownerTest(query)
  const { note } = query
  return ({ intent, contributor: { type, model_id = null }, isNoted, isOwn }) =>
    isOwned({ intent, type: isOwn ? 'kotef' : type, model: model_id }) &&
    (!isOwn || note === undefined) &&
    (note === undefined || isNoted === (note === 'yes'))
}

function listedLine(
  { commit, path, line, intent, contributor, isDoubtful, isNoted, isOwn }: ReviewLine,
  at: number,
): ListedLine {
  const author = {
    kind: isOwn ? ('kotef' as const) : contributor.type,
    model: contributor.model_id ?? null,
    isDoubtful,
  }
  return { commit, at, path, line, text: null, intent, author, isNoted, now: null }
}
