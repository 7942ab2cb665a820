import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { basename } from 'node:path'
import type { PageFrame } from '../pages/layout.tsx'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { ledgerSize } from '../../../world/ledger/open-ledger.ts'
import { assetNamed } from './assets.ts'
import { cookieName, type Door, type GuardedRequest, judgeRequest } from './guard.ts'
import type { LiveSource } from './live-source.ts'
import { liveStream } from './live-stream.ts'
import { addPages } from './page-answers.ts'
import type { PageMaker } from './page-maker.ts'

type PageContext = Context<{ Bindings: HttpBindings }>

export type PagesApp = Hono<{ Bindings: HttpBindings }>

/** What streams are made of, and what makes the pages that take long. */
type PageSources = { readonly source: LiveSource; readonly maker: PageMaker }

/** What the server answers: the pages of a worktree, or a refusal. */
export function pagesApp(workspace: Workspace, door: Door, { source, maker }: PageSources): PagesApp {
  const app: PagesApp = new Hono()
  const streams = { open: 0 }
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
    const verdict = judgeRequest(guardedRequest(context), door)
    if (verdict.kind === 'refuse') return context.text(`${verdict.why}\n`, verdict.status)
    if (verdict.kind === 'pass') return next()
    if (verdict.kind === 'enter') context.header('set-cookie', cookieOf(door))
    return context.redirect(verdict.location, 303)
  })
  app.get(`/${door.key}/assets/:name`, context => assetAnswer(context))
  app.get(`/${door.key}/events`, context => eventsAnswer(context, { workspace, source, streams }))
  addPages(app, { workspace, prefix: `/${door.key}`, frameOf: context => frameAt(workspace, door, context), maker })
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
  return { base: `/${key}/`, here, repository: basename(root), isLive: true, policy: null, asOf: null }
}

async function assetAnswer(context: PageContext) {
  const asset = await assetNamed(context.req.param('name') ?? '')
  return asset ? context.body(asset.bytes, 200, { 'content-type': asset.type }) : context.notFound()
}

type Streaming = {
  readonly workspace: Workspace
  readonly source: LiveSource
  readonly streams: { open: number }
}

// Each holds a connection and its heartbeat. A browser has one for all of its tabs.
const STREAMS_MAX = 64

async function eventsAnswer(context: PageContext, { workspace, source, streams }: Streaming) {
  if (streams.open >= STREAMS_MAX) return context.text('Too many pages are open.\n', 503)
  const resumed = context.req.header('last-event-id') ?? context.req.query('from') ?? ''
  const from = /^\d{1,15}$/.test(resumed) ? Number(resumed) : await ledgerSize(workspace)
  streams.open++
  context.env.outgoing.once('close', () => streams.open--)
  return context.body(liveStream(source, { from }), 200, { 'content-type': 'text/event-stream' })
}
