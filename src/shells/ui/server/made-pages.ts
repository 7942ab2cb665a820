import { Hono } from 'hono'
import type { PageFrame } from '../pages/layout.tsx'
import { openWorkspace } from '../../../world/io/worktree/workspace.ts'
import { addPages } from './page-answers.ts'
import type { MadePage, PageOrder } from './page-maker.ts'

type OrderedSite = Hono<{ Bindings: { readonly frame: PageFrame } }>

// What was read of the repository for a page serves the next ones.
let site: Promise<OrderedSite> | null = null

/** Makes an ordered page. Only the process that makes pages may call this: it takes time and memory. */
export async function makeOrderedPage({ root, frame }: PageOrder): Promise<MadePage> {
  site ??= openSite(root)
  const answer = await (await site).request(`http://127.0.0.1/${frame.here}`, {}, { frame })
  return { status: answer.status, html: await answer.text() }
}

async function openSite(root: string): Promise<OrderedSite> {
  const app: OrderedSite = new Hono()
  addPages(app, { workspace: await openWorkspace(root), prefix: '', frameOf: ({ env }) => env.frame, maker: null })
  return app
}
