import { FilePage } from '../pages/file-page.tsx'
import { IntentListPage } from '../pages/intent-list-page.tsx'
import { IntentPage } from '../pages/intent-page.tsx'
import { IntentsPage } from '../pages/intents-page.tsx'
import { firstItem } from '../pages/pager.tsx'
import { gatherFile } from '../facts/gather-file.ts'
import { gatherIntent } from '../facts/gather-intent.ts'
import { gatherIntentList } from '../facts/gather-intent-list.ts'
import { gatherIntents } from '../facts/gather-intents.ts'
import { printable } from '../../../core/base/printable.ts'
import { waitOf } from './page-wait.ts'
import type { PageRoute } from './page-route.ts'

/** The pages of intents with the lists of what each has, and the page of a file. */
export const intentRoutes: readonly PageRoute[] = [
  {
    path: '/intents',
    section: 'intents',
    isSlow: true,
    page: async (workspace, request) => {
      const facts = await gatherIntents(workspace, request.query, waitOf(request))
      return { title: 'Intents', body: IntentsPage(facts) }
    },
  },
  {
    path: '/intents/:id',
    section: 'intents',
    isSlow: true,
    page: async (workspace, request) => {
      const facts = await gatherIntent(workspace, request.params['id'] ?? '', waitOf(request))
      return facts && { title: printable(facts.intent.id), body: IntentPage(facts) }
    },
  },
  {
    path: '/intents/:id/:list',
    section: 'intents',
    isSlow: true,
    page: async (workspace, request) => {
      const { id = '', list: name = '' } = request.params
      const facts = await gatherIntentList(workspace, { id, name, query: request.query }, waitOf(request))
      if (facts === null) return null
      return { title: `${printable(id)}: ${facts.list.name}`, body: IntentListPage(facts) }
    },
  },
  {
    // A name of a file may have a line end.
    path: '/files/:path{[^]+}',
    section: 'intents',
    isSlow: true,
    page: async (workspace, { params, query }) => {
      const path = params['path'] ?? ''
      const by = query.get('by') === 'author' ? 'author' : 'intent'
      const wish = { path, by, only: query.get('only'), from: firstItem(query.get('from')) } as const
      return { title: printable(path), body: FilePage(await gatherFile(workspace, wish)) }
    },
  },
]
