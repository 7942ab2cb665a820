import { ChangesPage } from '../pages/changes-page.tsx'
import { waitingCount } from '../pages/now-facts.ts'
import { NowPage } from '../pages/now-page.tsx'
import { RecordsPage } from '../pages/records-page.tsx'
import { gatherChanges } from '../facts/gather-changes.ts'
import { gatherNow } from '../facts/gather-now.ts'
import { gatherRecords, recordQueryOf } from '../facts/gather-records.ts'
import { reportRoutes } from './report-routes.ts'
import { intentRoutes } from './intent-routes.ts'
import type { PageRoute } from './page-route.ts'

/** Every page of `kotef ui`. */
export const pageRoutes: readonly PageRoute[] = [
  {
    path: '/',
    section: 'now',
    page: async workspace => {
      const facts = await gatherNow(workspace)
      return { title: 'Now', waiting: waitingCount(facts), body: NowPage(facts) }
    },
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
