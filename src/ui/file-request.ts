import type { Page } from '../page/layout.tsx'
import { FilePage } from '../page/file-page.tsx'
import { gatherFile } from '../page-facts/gather-file.ts'
import { printable } from '../text/printable.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { rowInQuery } from './row-in-query.ts'
import type { PageRequest } from './routes.ts'

/** The page of a file, as its address asks for it. */
export async function filePageOf(workspace: Workspace, { params, query }: PageRequest): Promise<Page> {
  const path = params['path'] ?? ''
  const by = query.get('by') === 'author' ? 'author' : 'intent'
  const facts = await gatherFile(workspace, { path, by, only: query.get('only'), from: rowInQuery(query) })
  return { title: printable(path), section: 'intents', body: FilePage(facts) }
}
