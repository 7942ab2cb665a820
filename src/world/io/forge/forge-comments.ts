import { objectOrNull } from '../../../core/base/payload.ts'
import type { AskForge, ForgeAnswer, ForgeRequest } from './forge-request.ts'

/** A comment on a pull or merge request. */
export type ForgeComment = {
  readonly id: number
  readonly body: string
  /** True for a comment of the account that asks; another account's comment is never changed. */
  readonly isOwn: boolean
}

/** The comments on one pull or merge request. */
export type ForgeComments = {
  /** All comments, oldest first. */
  list(): Promise<readonly ForgeComment[]>
  create(body: string): Promise<void>
  update(id: number, body: string): Promise<void>
  remove(id: number): Promise<void>
}

/** A pull or merge request, and how its forge is asked. */
export type ChangeRequest = {
  readonly forge: 'github' | 'gitlab'
  /** The address of the API, without a slash at its end. */
  readonly api: string
  /** `owner/name` on GitHub, the number of the project on GitLab. */
  readonly project: string
  readonly number: string
  readonly token: string
}

/** How a comment is made, found and changed on one forge. */
type ForgeRoutes = {
  readonly headers: Readonly<Record<string, string>>
  /** The list of all comments, without the page. */
  readonly list: string
  readonly create: string
  readonly one: (id: number) => string
  readonly update: ForgeRequest['method']
  /** True where the account of a bot may not ask for its own name. */
  readonly hasSilentBots: boolean
  /** The name of the account in a comment, and whether it is a bot's. */
  readonly authorOf: (comment: unknown) => Author
}

type Author = { readonly name: string | null; readonly isBot: boolean }

/** The comments on a pull or merge request, through the API of its forge. */
export function forgeComments(request: ChangeRequest, ask: AskForge): ForgeComments {
  const routes = request.forge === 'github' ? githubRoutes(request) : gitlabRoutes(request)
  const call = async (method: ForgeRequest['method'], url: string, body: object | null): Promise<ForgeAnswer> =>
    expectSuccess(await ask({ method, url, headers: routes.headers, body }), { method, url })
  return {
    async list() {
      const isOwn = ownComments(await ask(meRequest(request.api, routes)), { ...routes, api: request.api })
      return (await allPages(page => call('GET', `${routes.list}&per_page=${PAGE_SIZE}&page=${page}`, null)))
        .map(it => commentOf(it, isOwn))
        .filter(it => it !== null)
    },
    create: async body => void (await call('POST', routes.create, { body })),
    update: async (id, body) => void (await call(routes.update, routes.one(id), { body })),
    remove: async id => void (await call('DELETE', routes.one(id), null)),
  }
}

function githubRoutes({ api, project, number, token }: ChangeRequest): ForgeRoutes {
  const issues = `${api}/repos/${project}/issues`
  return {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'kotef',
    },
    list: `${issues}/${number}/comments?sort=created`,
    create: `${issues}/${number}/comments`,
    one: id => `${issues}/comments/${id}`,
    update: 'PATCH',
    hasSilentBots: true,
    authorOf: comment => {
      const user = objectOrNull(objectOrNull(comment)?.['user'])
      return { name: textOrNull(user?.['login']), isBot: user?.['type'] === 'Bot' }
    },
  }
}

function gitlabRoutes({ api, project, number, token }: ChangeRequest): ForgeRoutes {
  const notes = `${api}/projects/${project}/merge_requests/${number}/notes`
  return {
    headers: { 'private-token': token, 'user-agent': 'kotef' },
    list: `${notes}?sort=asc&order_by=created_at`,
    create: notes,
    one: id => `${notes}/${id}`,
    update: 'PUT',
    hasSilentBots: false,
    authorOf: comment => {
      const author = objectOrNull(objectOrNull(comment)?.['author'])
      return { name: textOrNull(author?.['username']), isBot: false }
    },
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function meRequest(api: string, { headers }: ForgeRoutes): ForgeRequest {
  return { method: 'GET', url: `${api}/user`, headers, body: null }
}

// GitHub does not say which account the token of a workflow has. That is a bot's, as no person's account is. Without
// an answer it is unknown which comments are kotef's, and another one would be made each time.
function ownComments(
  answer: ForgeAnswer,
  { api, authorOf, hasSilentBots }: ForgeRoutes & Pick<ChangeRequest, 'api'>,
): (comment: unknown) => boolean {
  if (hasSilentBots && answer.status === 403 && !answer.isRateLimit) return it => authorOf(it).isBot
  const { json } = expectSuccess(answer, { method: 'GET', url: `${api}/user` })
  const me = textOrNull(objectOrNull(json)?.['login']) ?? textOrNull(objectOrNull(json)?.['username'])
  if (me === null) throw new Error('The forge does not say which account the token belongs to.')
  return it => authorOf(it).name === me
}

function commentOf(value: unknown, isOwn: (comment: unknown) => boolean): ForgeComment | null {
  const { id, body } = objectOrNull(value) ?? {}
  return typeof id === 'number' && typeof body === 'string' ? { id, body, isOwn: isOwn(value) } : null
}

/** All items of a list that comes in pages. A list that is never complete is an error: a comment may be in its end. */
async function allPages(page: (n: number) => Promise<ForgeAnswer>): Promise<unknown[]> {
  const items: unknown[] = []
  for (let n = 1; n <= PAGES_MAX; n++) {
    const { json } = await page(n)
    if (!Array.isArray(json)) throw new Error('The forge answered with something else than a list of comments.')
    for (const it of json) items.push(it)
    if (json.length < PAGE_SIZE) return items
  }
  throw new Error(`There are more than ${PAGES_MAX * PAGE_SIZE} comments, and kotef looks through no more.`)
}

const PAGE_SIZE = 100
const PAGES_MAX = 100

// The forge's own sentence is of use to a person who looks for the cause; the address shows no token.
function expectSuccess(answer: ForgeAnswer, { method, url }: Pick<ForgeRequest, 'method' | 'url'>): ForgeAnswer {
  if (answer.status >= 200 && answer.status < 300) return answer
  const reason = textOrNull(objectOrNull(answer.json)?.['message'])
  const why = answer.isRateLimit ? 'it was asked too often' : (reason ?? 'it gives no reason')
  throw new Error(`${method} ${new URL(url).pathname} was answered with ${answer.status}: ${why.slice(0, 200)}`)
}
