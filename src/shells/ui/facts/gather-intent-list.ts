import { firstOfPage } from '../pages/file-view.ts'
import { type Happening, HAPPENING_KINDS, happeningsOf, newestFirst, writesIn } from '../pages/happenings.ts'
import type { IntentList, IntentListFacts } from '../pages/intent-list-page.tsx'
import type { Part } from '../pages/intent-facts.ts'
import { LIST_ROWS } from '../pages/intent-lists.ts'
import { sessionsOf } from '../pages/intent-sessions.tsx'
import type { IntentListName, IntentListQuery } from '../pages/links.ts'
import { firstItem } from '../pages/pager.tsx'
import { commitsCiting } from '../../../world/provenance/intent-context.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { askDeclarations } from './declarations.ts'
import { findLiveIntent } from './gather-intent.ts'
import { intentHolders } from './intent-holders.ts'
import { askIntentLines } from './intent-lines.ts'
import { readIntentRecords, withRecordCounts } from './intent-records.ts'

/** What is asked: the intent, the name of the list, and its filters. */
export type IntentListQuestion = {
  readonly id: string
  readonly name: string
  readonly query: URLSearchParams
}

/** A part of a list of what an intent has; null where there is no such intent or list. */
export async function gatherIntentList(
  workspace: Workspace,
  { id, name, query: asked }: IntentListQuestion,
  wait: Promise<unknown> | null,
): Promise<IntentListFacts | null> {
  const intent = await findLiveIntent(workspace, id)
  const list = LISTS.find(it => it === name)
  if (!intent || list === undefined) return null
  const query = listQuery(asked)
  const found = await LIST_MAKERS[list](workspace, { id, query, wait })
  const from = firstOfPage(query.from ?? 0, { rows: found.list.part.total, size: LIST_ROWS })
  return {
    now: workspace.clock.now(),
    intent,
    query: { ...query, from: from === 0 ? undefined : from },
    reading: found.reading ?? ALL_KNOWN,
    records: found.records ?? null,
    list: found.list,
  }
}

const LISTS = ['sessions', 'commits', 'files', 'declarations', 'history', 'writes'] satisfies IntentListName[]
const ALL_KNOWN = { isCurrent: true, share: 1, failure: null, isKnown: true }

function listQuery(query: URLSearchParams): IntentListQuery {
  const day = /^\d{4}-\d\d-\d\d$/.exec(query.get('day') ?? '')?.[0]
  const kind = [...HAPPENING_KINDS, 'live'].find(it => it === query.get('kind'))
  return { kind, day, from: firstItem(query.get('from')) }
}

type ListWish = { readonly id: string; readonly query: IntentListQuery; readonly wait: Promise<unknown> | null }
type MadeList = { readonly list: IntentList } & Partial<Pick<IntentListFacts, 'reading' | 'records'>>
type ListMaker = (workspace: Workspace, wish: ListWish) => Promise<MadeList>

const LIST_MAKERS: Readonly<Record<IntentListName, ListMaker>> = {
  sessions: listSessions,
  async commits(workspace, { id, query }) {
    return { list: { name: 'commits', part: partOf(await commitsCiting(workspace, id, null), query) } }
  },
  async files(workspace, { id, query, wait }) {
    const { value, ...reading } = await askIntentLines(workspace, wait)
    const part = partOf(value?.(id).files ?? [], query)
    return { list: { name: 'files', part }, reading: { ...reading, isKnown: value !== null } }
  },
  async declarations(workspace, { id, query, wait }) {
    const { value, ...reading } = await askDeclarations(workspace, wait)
    const part = partOf(value?.filter(it => it.intent === id) ?? [], query)
    return { list: { name: 'declarations', part }, reading: { ...reading, isKnown: value !== null } }
  },
  async history(workspace, { id, query }) {
    const [{ records, read }, commits] = await Promise.all([
      readIntentRecords(workspace, id),
      commitsCiting(workspace, id, null),
    ])
    const wanted = (it: Happening) => query.kind === undefined || it.kind === query.kind
    const part = partOf(happeningsOf(records, commits).filter(wanted), query)
    return { list: { name: 'history', part }, records: read }
  },
  async writes(workspace, { id, query }) {
    const { records, read } = await readIntentRecords(workspace, id)
    const part = partOf(newestFirst(writesIn(records, query.day ?? null)), query)
    return { list: { name: 'writes', part }, records: read }
  },
}

async function listSessions(workspace: Workspace, { id, query }: ListWish): Promise<MadeList> {
  const [{ records, read }, holders] = await Promise.all([readIntentRecords(workspace, id), intentHolders(workspace)])
  const all = sessionsOf(records, holders.get(id) ?? [])
  const part = partOf(query.kind === 'live' ? all.filter(it => it.isLive) : all, query)
  const rows = await withRecordCounts(workspace, { intent: id, read }, part.rows)
  return { list: { name: 'sessions', part: { ...part, rows } }, records: read }
}

function partOf<T>(all: readonly T[], { from = 0 }: IntentListQuery): Part<T> {
  const first = firstOfPage(from, { rows: all.length, size: LIST_ROWS })
  return { total: all.length, rows: all.slice(first, first + LIST_ROWS) }
}
