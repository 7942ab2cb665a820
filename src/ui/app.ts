import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { basename } from 'node:path'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { toKotefError } from '../findings/failure.ts'
import { ErrorPage } from '../page/error-page.tsx'
import { Layout, type Page, type PageFrame } from '../page/layout.tsx'
import type { Workspace } from '../worktree/workspace.ts'
import { assetNamed } from './assets.ts'
import { cookieName, type Door, type GuardedRequest, judgeRequest } from './guard.ts'
import { pageRoutes } from './routes.ts'

type PageContext = Context<{ Bindings: HttpBindings }>

export type PagesApp = Hono<{ Bindings: HttpBindings }>

/** What the server answers: the pages of a worktree, or a refusal. */
export function pagesApp(workspace: Workspace, door: Door): PagesApp {
  const app: PagesApp = new Hono()
  const frameOf = (context: PageContext): PageFrame => frameAt(workspace, door, context)
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
    const verdict = judgeRequest(guardedRequest(context), door)
    if (verdict.kind === 'refuse') return context.text(`${verdict.why}\n`, verdict.status)
    if (verdict.kind === 'pass') return next()
    if (verdict.kind === 'enter') context.header('set-cookie', cookieOf(door))
    return context.redirect(verdict.location, 303)
  })
  app.get(`/${door.key}/assets/:name`, context => assetAnswer(context))
  for (const { path, page } of pageRoutes)
    app.get(`/${door.key}${path}`, async context => {
      const query = new URL(context.req.url).searchParams
      const found = await page(workspace, { params: context.req.param(), query })
      return found ? htmlAnswer(context, found, { frame: frameOf(context) }) : context.notFound()
    })
  app.notFound(context => htmlAnswer(context, NOT_FOUND, { frame: frameOf(context), status: 404 }))
  app.onError((thrown, context) => htmlAnswer(context, failurePage(thrown), { frame: frameOf(context), status: 500 }))
  return app
}

// Should a text ever get through unescaped, a browser runs and fetches nothing that this server does not have.
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'",
    "base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-cache',
}

function cookieOf(door: Door): string {
  return `${cookieName(door)}=${door.token}; Path=/${door.key}/; HttpOnly; SameSite=Strict`
}

function guardedRequest({ env: { incoming } }: PageContext): GuardedRequest {
  const { method = '', url: target = '', headersDistinct: headers } = incoming
  // Two of one name are none: programs differ in which of them they take.
  const only = (name: string) => (headers[name]?.length === 1 ? headers[name][0] : headers[name]?.join(', '))
  const [host, origin, cookie, fetchSite] = ['host', 'origin', 'cookie', 'sec-fetch-site'].map(only)
  return { method, target, host, origin, cookie, fetchSite }
}

function frameAt({ root }: Workspace, { key }: Door, { env }: PageContext): PageFrame {
  const here = (env.incoming.url ?? '').slice(key.length + 2)
  return { base: `/${key}/`, here, repository: basename(root), isLive: true, policy: null }
}

function htmlAnswer(
  context: PageContext,
  page: Page,
  { frame, status = 200 }: { frame: PageFrame; status?: 200 | 404 | 500 },
) {
  return context.html(`<!doctype html>\n${renderToString(h(Layout, { page, frame }))}\n`, status)
}

async function assetAnswer(context: PageContext) {
  const asset = await assetNamed(context.req.param('name') ?? '')
  return asset ? context.body(asset.bytes, 200, { 'content-type': asset.type }) : context.notFound()
}

const NOT_FOUND = failurePage(null)

function failurePage(thrown: unknown): Page {
  const failure = thrown === null ? null : toKotefError(thrown)
  const title = failure === null ? 'Nothing is at this address' : 'kotef could not answer'
  const body = ErrorPage({ title, message: failure?.message ?? null, hint: failure?.hint ?? null })
  return { title, section: 'now', body }
}
