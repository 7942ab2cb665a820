import type { Context, Env, Hono } from 'hono'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toKotefError } from '../../../core/base/failure.ts'
import { ErrorPage } from '../pages/error-page.tsx'
import { Layout, type Page, type PageFrame, type PageSection } from '../pages/layout.tsx'
import { MakingPage } from '../pages/making-page.tsx'
import { loadRegistry } from '../../../world/intents/policy/load-policy.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { MadePage, PageMaker } from './page-maker.ts'
import { pageRoutes } from './routes.ts'

/** Where the pages of a worktree are, and what is around each. */
export type PageSite<C extends Context = Context> = {
  readonly workspace: Workspace
  /** The path before each page, such as `/key`. */
  readonly prefix: string
  readonly frameOf: (context: C) => PageFrame
  /** Makes the pages that take long; null where all are made in this process. */
  readonly maker: PageMaker | null
}

/** Adds the answers of all pages to a server: documents of HTML, also where there is no page, or making it fails. */
export function addPages<E extends Env>(app: Hono<E>, site: PageSite<Context<E>>): void {
  const { workspace, prefix, frameOf, maker } = site
  for (const { path, page, isSlow, section } of pageRoutes)
    app.get(`${prefix}${path}`, async context => {
      const query = new URL(context.req.url).searchParams
      // A form sends its empty fields too.
      if ([...query.values()].includes('')) return context.redirect(withoutEmpty(context), 303)
      const frame = frameOf(context)
      if (maker && isSlow) return madeAnswer(context, await maker.make(frame), { section, frame })
      const found = await page(workspace, { params: context.req.param(), query, isWhole: !frame.isLive })
      return found
        ? context.html(
            documentOf({ ...found, section, intents: await intentIds(workspace) }, frame),
            found.status ?? 200,
          )
        : context.notFound()
    })
  app.notFound(context => context.html(documentOf(failurePage(null), frameOf(context)), 404))
  app.onError((thrown, context) => context.html(documentOf(failurePage(thrown), frameOf(context)), 500))
}

// Accepted, and not made yet: a program that asks knows it by the status.
function madeAnswer(context: Context, made: MadePage | number, { section, frame }: MadeAround) {
  if (typeof made !== 'number') return context.html(made.html, made.status as 200)
  const body = MakingPage({ seconds: made, here: frame.here })
  return context.html(documentOf({ title: 'In the making', section, body }, frame), 202)
}

type MadeAround = { readonly section: PageSection; readonly frame: PageFrame }

function documentOf(page: Page, frame: PageFrame): string {
  return `<!doctype html>\n${renderToString(h(Layout, { page, frame }))}\n`
}

// A registry that can't be read costs the colours, and not the page.
async function intentIds(workspace: Workspace): Promise<string[]> {
  const registry = await loadRegistry(workspace).catch(() => null)
  return registry?.intents.map(it => it.id) ?? []
}

function withoutEmpty({ req }: Context): string {
  const { pathname, searchParams } = new URL(req.url)
  const named = new URLSearchParams([...searchParams].filter(([, value]) => value !== ''))
  return named.size === 0 ? pathname : `${pathname}?${named}`
}

function failurePage(thrown: unknown): Page {
  const failure = thrown === null ? null : toKotefError(thrown)
  const title = failure === null ? 'Nothing is at this address' : 'kotef could not answer'
  const body = ErrorPage({ title, message: failure?.message ?? null, hint: failure?.hint ?? null })
  return { title, section: 'now', body }
}
