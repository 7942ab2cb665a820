// The API of GitHub and GitLab for comments, with `faults` in place of single answers.

import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'

/** An answer that the server gives in place of its own, once. */
type Fault = {
  /** The method and the end of the path of the call that it is for: `POST comments`. */
  readonly on: RegExp
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** True if the call has its effect all the same, and only its answer is lost. */
  readonly isDone?: boolean
}

/** A comment on the server. */
type StoredComment = { readonly id: number; readonly author: string; readonly isBot: boolean; body: string }

/** A server that answers as the API of GitHub and of GitLab does, for the comments on pull or merge request 7. */
export type ForgeServer = AsyncDisposable & {
  /** The address of GitHub's API; that of GitLab is below it, `/api/v4`. */
  readonly url: string
  readonly comments: StoredComment[]
  /** Each call: its method, path and query. */
  readonly calls: string[]
  readonly faults: Fault[]
  /** Adds a comment of some account. */
  comment(author: string, body: string): void
  /** The comments of kotef's own account. */
  ownBodies(): string[]
}

/** The account of kotef: that of GitHub's workflows may not ask who it is, that of a token may. */
type ForgeAccount = 'github-actions[bot]' | 'octo' | 'project_bot'

export async function startForgeServer(account: ForgeAccount): Promise<ForgeServer> {
  const state: ForgeState = { account, comments: [], calls: [], faults: [], nextId: 1 }
  const server = createServer((request, response) => {
    void answerOf(request, state).then(({ status, headers = {}, body = '' }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...state,
    url: `http://127.0.0.1:${port}`,
    comment: (author, body) => addComment(state, author, body),
    ownBodies: () => state.comments.filter(it => it.author === account).map(it => it.body),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

type ForgeState = Pick<ForgeServer, 'comments' | 'calls' | 'faults'> & { account: ForgeAccount; nextId: number }
type Answer = Pick<Fault, 'status' | 'headers' | 'body'>

function addComment(state: ForgeState, author: string, body: string): void {
  state.comments.push({ id: state.nextId++, author, isBot: author.endsWith('[bot]'), body })
}

async function answerOf(request: IncomingMessage, state: ForgeState): Promise<Answer> {
  const { method = '', url = '' } = request
  const [path = '', query = ''] = url.split('?')
  state.calls.push(`${method} ${url}`)
  const sent = JSON.parse((await textOf(request)) || '{}') as { body?: string }
  const fault = state.faults.find(it => it.on.test(`${method} ${path}`))
  if (fault) state.faults.splice(state.faults.indexOf(fault), 1)
  if (fault && fault.isDone !== true) return fault
  if (!hasToken(request, path)) return { status: 401, body: '{"message":"Bad credentials"}' }
  const own = route(state, { method, path, query, body: sent.body ?? '' })
  return fault ?? own
}

function hasToken({ headers }: IncomingMessage, path: string): boolean {
  return path.startsWith('/api/v4') ? headers['private-token'] === 't0ken' : headers.authorization === 'Bearer t0ken'
}

type Call = { readonly method: string; readonly path: string; readonly query: string; readonly body: string }

const LISTS = [/^\/repos\/acme\/shop\/issues\/7\/comments$/, /^\/api\/v4\/projects\/12\/merge_requests\/7\/notes$/]
const ITEMS = [
  /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/,
  /^\/api\/v4\/projects\/12\/merge_requests\/7\/notes\/(\d+)$/,
]

function route(state: ForgeState, { method, path, query, body }: Call): Answer {
  if (/(^|\/api\/v4)\/user$/.test(path)) return accountAnswer(state)
  const isList = LISTS.some(it => it.test(path))
  const id = ITEMS.map(it => it.exec(path)?.[1]).find(it => it !== undefined)
  const comment = state.comments.find(it => String(it.id) === id)
  if (isList && method === 'GET') return { status: 200, body: JSON.stringify(pageOf(state, query)) }
  if (isList && method === 'POST') return (addComment(state, state.account, body), { status: 201, body: '{}' })
  if (!comment) return { status: 404, body: '{"message":"Not Found"}' }
  if (method === 'DELETE') state.comments.splice(state.comments.indexOf(comment), 1)
  else if (method === (path.startsWith('/api/v4') ? 'PUT' : 'PATCH')) comment.body = body
  else return { status: 405 }
  return { status: method === 'DELETE' ? 204 : 200, body: method === 'DELETE' ? '' : '{}' }
}

function accountAnswer({ account }: ForgeState): Answer {
  if (account === 'github-actions[bot]')
    return { status: 403, body: '{"message":"Resource not accessible by integration"}' }
  return { status: 200, body: JSON.stringify({ login: account, username: account }) }
}

function pageOf({ comments }: ForgeState, query: string) {
  const asked = new URLSearchParams(query)
  const [size, page] = [Number(asked.get('per_page') ?? 30), Number(asked.get('page') ?? 1)]
  return comments.slice((page - 1) * size, page * size).map(({ id, author, isBot, body }) => ({
    id,
    body,
    user: { login: author, type: isBot ? 'Bot' : 'User' },
    author: { username: author },
  }))
}
