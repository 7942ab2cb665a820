import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { PageContent, PageSection } from '../pages/layout.tsx'

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
