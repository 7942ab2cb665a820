import type { JSX } from 'preact'
import { ClassesPage } from '../pages/classes-page.tsx'
import { HandoverPage } from '../pages/handover-page.tsx'
import { HandoversPage } from '../pages/handovers-page.tsx'
import type { PageContent } from '../pages/layout.tsx'
import { LinesPage } from '../pages/lines-page.tsx'
import { RangePage } from '../pages/range-page.tsx'
import { RangesPage } from '../pages/ranges-page.tsx'
import { StatsPage } from '../pages/stats-page.tsx'
import { ViolationsPage } from '../pages/violations-page.tsx'
import { gatherClasses, gatherViolations } from '../facts/gather-event-lists.ts'
import { gatherHandover, gatherHandovers } from '../facts/gather-handover.ts'
import { gatherLines } from '../facts/gather-lines.ts'
import { gatherRange, gatherRanges, whyUnknown } from '../facts/gather-range.ts'
import { gatherStats } from '../facts/gather-stats.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { waitOf } from './page-wait.ts'
import type { PageRequest, PageRoute } from './page-route.ts'

const RANGES = { section: 'ranges', isSlow: true } as const

/** The pages of statistics, of commits, and of the handover, with the lists behind their numbers. */
export const reportRoutes: readonly PageRoute[] = [
  statsRoute('/stats', { title: 'Stats', gather: gatherStats, body: StatsPage }),
  statsRoute('/lines', { title: 'Lines', gather: gatherLines, body: LinesPage }),
  statsRoute('/violations', { title: 'Violations', gather: gatherViolations, body: ViolationsPage }),
  statsRoute('/classes', { title: 'Classes of changes', gather: gatherClasses, body: ClassesPage }),
  { ...RANGES, path: '/ranges', page: rangesPage },
  {
    ...RANGES,
    path: '/ranges/:range{.+}',
    page: (workspace, request) => rangePage(workspace, request, request.params['range']),
  },
  {
    path: '/handover',
    section: 'handover',
    page: async workspace => ({ title: 'Handover', body: HandoversPage(await gatherHandovers(workspace)) }),
  },
  {
    path: '/handover/:session',
    section: 'handover',
    page: async (workspace, { params }) => {
      const facts = await gatherHandover(workspace, params['session'] ?? '')
      return facts && { title: facts.status.session, body: HandoverPage(facts) }
    },
  },
]

/** The facts of a page by the filters of its address, and the page of them. */
type StatsView<Facts> = {
  readonly title: string
  readonly gather: (workspace: Workspace, query: URLSearchParams, wait: Promise<unknown> | null) => Promise<Facts>
  readonly body: (facts: Facts) => JSX.Element
}

function statsRoute<Facts>(path: string, { title, gather, body }: StatsView<Facts>): PageRoute {
  return {
    path,
    section: 'stats',
    isSlow: true,
    page: async (workspace, request) => ({
      title,
      body: body(await gather(workspace, request.query, waitOf(request))),
    }),
  }
}

async function rangesPage(workspace: Workspace, request: PageRequest): Promise<PageContent | null> {
  // The form of the page sends a range as a parameter.
  const range = request.query.get('range')
  if (range) return rangePage(workspace, request, range)
  const facts = await gatherRanges(workspace, request.query, waitOf(request))
  return { title: 'Commits', body: RangesPage(facts) }
}

async function rangePage(workspace: Workspace, request: PageRequest, range = ''): Promise<PageContent | null> {
  const facts = await gatherRange(workspace, range, waitOf(request))
  if (facts) return { title: facts.commit?.subject || range, body: RangePage(facts) }
  const list = await gatherRanges(workspace, new URLSearchParams(), waitOf(request))
  const asked = { range, why: await whyUnknown(workspace, range) }
  return { title: 'Commits', status: 404, body: RangesPage({ ...list, asked }) }
}
