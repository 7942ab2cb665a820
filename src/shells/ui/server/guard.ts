import { createHash, timingSafeEqual } from 'node:crypto'

/** What the guard reads of a request, as it was sent. */
export type GuardedRequest = {
  readonly method: string
  /** The target of the request line: not yet decoded or normalised. */
  readonly target: string
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly cookie: string | undefined
}

/** What a server lets in: its port, and its secrets. */
export type Door = {
  readonly port: number
  /** The first part of every path. A cookie is sent to all ports of a host, but only with its path. */
  readonly key: string
  readonly token: string
}

export type GuardVerdict =
  | { readonly kind: 'pass' }
  /** The token is right: it becomes a cookie, and leaves the address. */
  | { readonly kind: 'enter'; readonly location: string }
  /** The cookie is right, but the path lacks the key. */
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'refuse'; readonly status: 400 | 401 | 403 | 405; readonly why: string }

/** Decides about a request before any route is looked for. */
export function judgeRequest(request: GuardedRequest, door: Door): GuardVerdict {
  const { method, target } = request
  if (method !== 'GET') return refuse(405, 'This server only answers GET.')
  if (!isOwnHost(request.host, door)) return refuse(403, 'The request names another host.')
  if (request.origin !== undefined && request.origin !== `http://${request.host}`)
    return refuse(403, 'The request comes from another site.')
  if (!isNormalised(target)) return refuse(400, 'The path is not in its normal form.')
  const { pathname, search, searchParams } = new URL(target, 'http://127.0.0.1')
  const token = searchParams.get('token')
  if (token !== null) {
    if (!isSecret(token, door.token)) return refuse(401, NO_ENTRY)
    searchParams.delete('token')
    const rest = searchParams.size > 0 ? `?${searchParams}` : ''
    return { kind: 'enter', location: `${withKey(pathname, door)}${rest}` }
  }
  if (!isSecret(cookieValue(request.cookie, cookieName(door)), door.token)) return refuse(401, NO_ENTRY)
  if (request.fetchSite !== undefined && !['same-origin', 'none'].includes(request.fetchSite))
    return refuse(403, 'The request comes from another site.')
  const location = withKey(pathname, door)
  return location === pathname ? { kind: 'pass' } : { kind: 'redirect', location: `${location}${search}` }
}

const NO_ENTRY = 'Open the address that `npx kotef-watch ui` prints: it has a token, which this browser does not have.'

function refuse(status: 400 | 401 | 403 | 405, why: string): GuardVerdict {
  return { kind: 'refuse', status, why }
}

/** The name of the server's cookie. */
export function cookieName({ port }: Pick<Door, 'port'>): string {
  return `kotef-ui-${port}`
}

// A name that another site lets point to this machine is not one of these.
function isOwnHost(host: string | undefined, { port }: Door): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`
}

/** True for a path that a browser sends as it is, and that names no other place when its parts are decoded. */
function isNormalised(target: string): boolean {
  if (!/^\/(?!\/)[!-~]*$/.test(target) || target.includes('#') || target.includes('\\')) return false
  const [path = ''] = target.split('?')
  if (!URL.canParse(target, 'http://127.0.0.1')) return false
  const { pathname, host } = new URL(target, 'http://127.0.0.1')
  return host === '127.0.0.1' && pathname === path && isPlainPath(path)
}

function isPlainPath(path: string): boolean {
  try {
    const decoded = decodeURIComponent(path)
    return !decoded.includes('\0') && !decoded.split(/[/\\]/).some(it => it === '.' || it === '..')
  } catch {
    return false
  }
}

function withKey(pathname: string, { key }: Door): string {
  return pathname.startsWith(`/${key}/`) ? pathname : `/${key}${pathname === `/${key}` ? '/' : pathname}`
}

function cookieValue(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(/; */).map(it => it.split('='))
  return pairs.find(([it]) => it === name)?.[1] ?? ''
}

// Compared by hash, so that the time says nothing about the length or the beginning.
function isSecret(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map(it => createHash('sha256').update(it).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
