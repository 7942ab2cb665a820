import { NowPage } from '../page/now-page.tsx'
import type { Page } from '../page/layout.tsx'
import { gatherNow } from '../page-facts/gather-now.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** What was asked: the parts of the path that the route names, decoded, and the filters. */
export type PageRequest = {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** A page and its address, in the syntax of hono: `/intents/:id`, and `/files/:path{.+}` for a path with slashes. */
export type PageRoute = {
  readonly path: string
  /** Null when there is nothing at the address. */
  readonly page: (workspace: Workspace, request: PageRequest) => Promise<Page | null>
}

/** Every page of `kotef ui`. */
export const pageRoutes: readonly PageRoute[] = [
  {
    path: '/',
    page: async workspace => ({ title: 'Now', section: 'now', body: NowPage(await gatherNow(workspace)) }),
  },
]
