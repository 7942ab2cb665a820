// The pages of `kotef ui` in this process: `page`, `send` for any request, `follow` for events.

import { request } from 'node:http'
import { servePages } from '../../src/shells/ui/server/serve-pages.ts'
import type { StartTimer } from '../../src/shells/ui/server/unused-timer.ts'
import { openWorkspace } from '../../src/world/io/worktree/workspace.ts'

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
  /** Follows an address that is answered with events. */
  follow(address: string, headers?: Headers): Promise<FollowedEvents>
  /** A page, as a browser that has opened the address gets it. */
  page(address: string): Promise<string>
}

/** The events of a stream so far. */
export type FollowedEvents = Disposable & {
  readonly status: number
  readonly events: { readonly id: string; readonly event: string; readonly data: string }[]
  /** Stops reading, as a client that is slow. */
  pause(): void
  resume(): void
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
  const page = async (address: string): Promise<string> => {
    const { status, text } = await send(`/${key}/${address}`, { cookie })
    // As a browser: the page is being made.
    if (status === 202) return page(address)
    if (status !== 200) throw new Error(`${address} is answered with ${status}:\n${text}`)
    return text
  }
  return {
    ...{ url: server.url, port, base: `/${key}/`, cookie, send },
    page,
    follow: (address, headers = {}) =>
      followEvents({
        host: '127.0.0.1',
        port,
        path: `/${key}/${address}`,
        headers: { cookie, ...headers },
        agent: false,
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function followEvents(options: object): Promise<FollowedEvents> {
  return new Promise((resolve, reject) => {
    const sent = request(options, response => {
      const events: FollowedEvents['events'] = []
      let text = ''
      response.setEncoding('utf8').on('data', (it: string) => {
        const parts = (text + it).split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) if (/^data: /m.test(part)) events.push(eventOf(part))
      })
      resolve({
        ...{ status: response.statusCode ?? 0, events },
        pause: () => void response.pause(),
        resume: () => void response.resume(),
        [Symbol.dispose]: () => void sent.destroy(),
      })
      response.on('error', () => {})
    })
    sent.on('error', reject).end()
  })
}

function eventOf(part: string): FollowedEvents['events'][number] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? ''
  return { id: field('id'), event: field('event'), data: field('data') }
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
