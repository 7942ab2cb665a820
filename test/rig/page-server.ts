import { request } from 'node:http'
import { servePages } from '../../src/ui/serve-pages.ts'
import type { StartTimer } from '../../src/ui/unused-timer.ts'
import { openWorkspace } from '../../src/worktree/workspace.ts'

type Answer = { readonly status: number; readonly headers: NodeJS.Dict<string | string[]>; readonly text: string }

type Headers = Readonly<Record<string, string>>

/** The server of the pages of a repository, in this process, on a real port. */
export type PageServerOfTest = AsyncDisposable & {
  readonly url: string
  readonly port: number
  /** The path before each page, such as `/key/`. */
  readonly base: string
  /** The cookie of a browser that has opened the address. */
  readonly cookie: string
  /** What the server answers to a path, sent exactly so, without a cookie unless one is named. */
  send(path: string, headers?: Headers, method?: string): Promise<Answer>
  /** A page, as a browser that has opened the address gets it. */
  page(address: string): Promise<string>
}

/** Starts the server of the pages of a repository. */
export async function startPageServer(
  repo: { readonly root: string },
  more: { readonly unused?: () => void; readonly startTimer?: StartTimer } = {},
): Promise<PageServerOfTest> {
  const server = await servePages(await openWorkspace(repo.root), { port: 0, unused: () => {}, ...more })
  const { port, key, token } = server.door
  const cookie = `kotef-ui-${port}=${token}`
  const send: PageServerOfTest['send'] = (path, headers = {}, method = 'GET') =>
    sendRequest({ host: '127.0.0.1', port, path, headers, method, agent: false })
  return {
    ...{ url: server.url, port, base: `/${key}/`, cookie, send },
    async page(address) {
      const { status, text } = await send(`/${key}/${address}`, { cookie })
      if (status !== 200) throw new Error(`${address} is answered with ${status}:\n${text}`)
      return text
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function sendRequest(options: Parameters<typeof request>[1]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(options as object, response => {
      let text = ''
      response.setEncoding('utf8').on('data', (it: string) => (text += it))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    sent.on('error', reject).end()
  })
}
