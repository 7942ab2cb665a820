import { ClassesPage } from '../page/classes-page.tsx'
import { HandoverPage } from '../page/handover-page.tsx'
import { HandoversPage } from '../page/handovers-page.tsx'
import type { Page } from '../page/layout.tsx'
import { LinesPage } from '../page/lines-page.tsx'
import { RangePage } from '../page/range-page.tsx'
import { RangesPage } from '../page/ranges-page.tsx'
import { StatsPage } from '../page/stats-page.tsx'
import { ViolationsPage } from '../page/violations-page.tsx'
import { gatherClasses, gatherViolations } from '../page-facts/gather-event-lists.ts'
import { gatherHandover, gatherHandovers } from '../page-facts/gather-handover.ts'
import { gatherLines } from '../page-facts/gather-lines.ts'
import { gatherRange, gatherRanges } from '../page-facts/gather-range.ts'
import { gatherStats } from '../page-facts/gather-stats.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { waitOf } from './page-wait.ts'
import type { PageRequest, PageRoute } from './routes.ts'

/** The pages of statistics, of commits, and of the handover, with the lists behind their numbers. */
export const reportRoutes: readonly PageRoute[] = [
  {
    path: '/stats',
    page: async (workspace, request) => {
      const facts = await gatherStats(workspace, request.query, waitOf(request))
      return { title: 'Stats', section: 'stats', body: StatsPage(facts) }
    },
  },
  {
    path: '/lines',
    page: async (workspace, request) => {
      const facts = await gatherLines(workspace, request.query, waitOf(request))
      return { title: 'Lines', section: 'stats', body: LinesPage(facts) }
    },
  },
  {
    path: '/violations',
    page: async (workspace, request) => {
      const facts = await gatherViolations(workspace, request.query, waitOf(request))
      return { title: 'Violations', section: 'stats', body: ViolationsPage(facts) }
    },
  },
  {
    path: '/classes',
    page: async (workspace, request) => {
      const facts = await gatherClasses(workspace, request.query, waitOf(request))
      return { title: 'Classes of changes', section: 'stats', body: ClassesPage(facts) }
    },
  },
  { path: '/ranges', page: rangesPage },
  { path: '/ranges/:range{.+}', page: (workspace, request) => rangePage(workspace, request, request.params['range']) },
  {
    path: '/handover',
    page: async workspace => ({
      title: 'Handover',
      section: 'handover',
      body: HandoversPage(await gatherHandovers(workspace)),
    }),
  },
  {
    path: '/handover/:session',
    page: async (workspace, { params }) => {
      const facts = await gatherHandover(workspace, params['session'] ?? '')
      return facts && { title: facts.status.session, section: 'handover', body: HandoverPage(facts) }
    },
  },
]

async function rangesPage(workspace: Workspace, request: PageRequest): Promise<Page | null> {
  // The form of the page sends a range as a parameter.
  const range = request.query.get('range')
  if (range) return rangePage(workspace, request, range)
  const facts = await gatherRanges(workspace, request.query, waitOf(request))
  return { title: 'Commits', section: 'ranges', body: RangesPage(facts) }
}

async function rangePage(workspace: Workspace, request: PageRequest, range = ''): Promise<Page | null> {
  const facts = await gatherRange(workspace, range, waitOf(request))
  return facts && { title: range, section: 'ranges', body: RangePage(facts) }
}
