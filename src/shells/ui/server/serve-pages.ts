import { createAdaptorServer } from '@hono/node-server'
import { KotefError } from '../../../core/base/failure.ts'
import { systemErrorCode } from '../../../world/io/files/files.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import { type PagesApp, pagesApp } from './app.ts'
import type { Door } from './guard.ts'
import { newSecret } from './server-address.ts'
import { liveSource } from './live-source.ts'
import { openPageMaker } from './page-maker.ts'
import { endWhenUnused, type StartTimer } from './unused-timer.ts'

/** A server of pages that listens. */
export type PageServer = AsyncDisposable & { readonly door: Door; readonly url: string }

/**
 * How a server is started: on which port, 0 for any free one, under which key, by default a new one, and what it does
 * when nobody uses it any longer.
 */
export type ServeOptions = {
  readonly port: number
  readonly key?: string
  readonly unused: () => void
  readonly startTimer?: StartTimer
}

// A person may first have to forward the port from another machine.
const FIRST_CLIENT_MS = 600_000
const UNUSED_MS = 60_000

/** Serves the pages of a worktree on 127.0.0.1. */
export async function servePages(workspace: Workspace, options: ServeOptions): Promise<PageServer> {
  const { port, key = newSecret(), unused, startTimer } = options
  let answer: PagesApp['fetch'] | null = null
  const server = createAdaptorServer({ fetch: (request, env) => answer?.(request, env) ?? new Response() })
  await new Promise<void>((resolve, reject) => {
    server.once('error', thrown => reject(listenError(thrown, port))).listen(port, '127.0.0.1', resolve)
  })
  const usage = endWhenUnused({ firstMs: FIRST_CLIENT_MS, unusedMs: UNUSED_MS }, unused, startTimer)
  server.on('request', (_request, response: NodeJS.EventEmitter) => void response.once('close', usage.enter()))
  const address = server.address()
  const door = { port: typeof address === 'object' && address ? address.port : port, key, token: newSecret() }
  const source = liveSource(workspace)
  const maker = openPageMaker(workspace)
  answer = pagesApp(workspace, door, { source, maker }).fetch
  return {
    door,
    url: `http://127.0.0.1:${door.port}/${door.key}/?token=${door.token}`,
    async [Symbol.asyncDispose]() {
      usage[Symbol.dispose]()
      source[Symbol.dispose]()
      maker[Symbol.dispose]()
      const closed = new Promise(resolve => server.close(resolve))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}

function listenError(thrown: unknown, port: number): KotefError {
  const code = systemErrorCode(thrown)
  const why = code === 'EADDRINUSE' ? 'is taken by another program' : `can't be used (${code ?? String(thrown)})`
  return new KotefError('port-taken', `The port ${port} of 127.0.0.1 ${why}.`, { cause: thrown })
}
