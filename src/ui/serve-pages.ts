import { createAdaptorServer } from '@hono/node-server'
import { randomBytes } from 'node:crypto'
import { KotefError } from '../findings/failure.ts'
import { systemErrorCode } from '../io/files/files.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { type PagesApp, pagesApp } from './app.ts'
import type { Door } from './guard.ts'

/** A server of pages that listens. */
export type PageServer = AsyncDisposable & { readonly door: Door; readonly url: string }

/** Serves the pages of a worktree on 127.0.0.1; port 0 stands for any free one. */
export async function servePages(workspace: Workspace, port: number): Promise<PageServer> {
  const secret = () => randomBytes(24).toString('base64url')
  const door = { port, key: secret(), token: secret() }
  let answer: PagesApp['fetch'] | null = null
  const server = createAdaptorServer({ fetch: (request, env) => answer?.(request, env) ?? new Response() })
  await new Promise<void>((resolve, reject) => {
    server.once('error', thrown => reject(listenError(thrown, port))).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const open = { ...door, port: typeof address === 'object' && address ? address.port : port }
  answer = pagesApp(workspace, open).fetch
  return {
    door: open,
    url: `http://127.0.0.1:${open.port}/${open.key}/?token=${open.token}`,
    async [Symbol.asyncDispose]() {
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
