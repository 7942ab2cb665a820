import { isPolicyFile } from '../../../core/base/governance-files.ts'
import type { ClassesFacts, ClassifiedChange } from '../pages/classes-page.tsx'
import type { ClassQuery } from '../pages/links.ts'
import { firstItem } from '../pages/pager.tsx'
import { recordFacts } from '../pages/record-facts.ts'
import type { ViolationsFacts } from '../pages/violations-page.tsx'
import type { AddedLineHistory } from '../../../world/provenance/line-history.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askEvents, selectEvents, violationsOf } from './ledger-events.ts'
import { askLines } from './line-facts.ts'
import { momentParameter } from './line-query.ts'
import { selectLines } from './select-lines.ts'
import { countedCommits } from './tally-lines.ts'

const ITEMS_A_PAGE = 100

/** A page of the violations that the ledger has, newest first. */
export async function gatherViolations(
  workspace: Workspace,
  params: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<ViolationsFacts> {
  const query = {
    ...listQuery(params),
    rule: params.get('rule') ?? undefined,
    until: momentParameter(params, 'until'),
  }
  const { value, ...reading } = await askEvents(workspace, wait)
  const all = violationsOf(selectEvents(value ?? [], query), query.rule).reverse()
  const from = query.from ?? 0
  const records = all.slice(from, from + ITEMS_A_PAGE).map(recordFacts)
  return { now: workspace.clock.now(), query, total: all.length, records, pageLength: ITEMS_A_PAGE, reading }
}

/** A page of the changes of files whose class the notes of commits have. */
export async function gatherClasses(
  workspace: Workspace,
  params: URLSearchParams,
  wait: Promise<unknown> | null,
): Promise<ClassesFacts> {
  const query = { ...listQuery(params), class: params.get('class') ?? undefined }
  const { value, ...reading } = (await askLines(workspace, wait)).history
  const all = value ? classifiedChanges(value, query) : []
  const from = query.from ?? 0
  const changes = all.slice(from, from + ITEMS_A_PAGE)
  return { now: workspace.clock.now(), query, total: all.length, changes, pageLength: ITEMS_A_PAGE, reading }
}

function listQuery(params: URLSearchParams): ClassQuery {
  const from = firstItem(params.get('from'))
  return {
    intent: params.get('intent') ?? undefined,
    since: momentParameter(params, 'since'),
    from: from === 0 ? undefined : from,
  }
}

function classifiedChanges(
  { commits }: AddedLineHistory,
  { intent, since, class: name }: ClassQuery,
): ClassifiedChange[] {
  const counted = countedCommits(commits, selectLines(commits, { intent, since }, null), { intent, since })
  return counted.flatMap(({ commit, at, classes }) =>
    [...classes]
      .filter(([path, it]) => !isPolicyFile(path) && (name === undefined || it.mutation_class === name))
      .map(([path, it]) => ({ commit, at, path, class: it.mutation_class, evidence: it.evidence })),
  )
}
