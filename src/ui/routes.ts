import { ChangesPage } from '../page/changes-page.tsx'
import { NowPage } from '../page/now-page.tsx'
import { RecordsPage } from '../page/records-page.tsx'
import type { PageContent, PageSection } from '../page/layout.tsx'
import { gatherChanges } from '../page-facts/gather-changes.ts'
import { gatherNow } from '../page-facts/gather-now.ts'
import { gatherRecords, recordQueryOf } from '../page-facts/gather-records.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { reportRoutes } from './report-routes.ts'
import { intentRoutes } from './intent-routes.ts'

/** What was asked: the parts of the path that the route names, decoded, and the filters. */
export type PageRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** True for a page that is saved as a file: facts that take long are waited for. */
  readonly isWhole?: boolean
}

/** A page and its address, in the syntax of hono: `/intents/:id`, and `/files/:path{.+}` for a path with slashes. */
export type PageRoute = {
  readonly path: string
  readonly section: PageSection
  /** True for a page whose facts may take long, and much memory: a server has it made in another process. */
  readonly isSlow?: boolean
  /** Null when there is nothing at the address. */
  readonly page: (workspace: Workspace, request: PageRequest) => Promise<PageContent | null>
}

/** Every page of `kotef ui`. */
export const pageRoutes: readonly PageRoute[] = [
  {
    path: '/',
    section: 'now',
    page: async workspace => ({ title: 'Now', body: NowPage(await gatherNow(workspace)) }),
  },
  {
    path: '/records',
    section: 'records',
    page: async (workspace, { query }) => {
      const facts = await gatherRecords(workspace, recordQueryOf(query))
      return { title: 'Records', body: RecordsPage(facts) }
    },
  },
  {
    path: '/changes',
    section: 'now',
    page: async (workspace, { query }) => {
      const state = stateOf(query.get('state'))
      const all = await gatherChanges(workspace)
      const changes = all.filter(it => (state === 'outside' ? it.isOutside : state === null || it.isUntraced))
      const body = ChangesPage({ state, changes, from: Number(/^\d{1,9}$/.exec(query.get('from') ?? '')?.[0] ?? 0) })
      return { title: 'Changed files', body }
    },
  },
  ...reportRoutes,
  ...intentRoutes,
]

function stateOf(text: string | null): 'outside' | 'untraced' | null {
  return text === 'outside' || text === 'untraced' ? text : null
}
