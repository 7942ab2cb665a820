import { FORGE_ANSWER_MS_MAX } from '../../../core/base/thresholds.ts'
import { jsonOrUndefined } from '../../../core/base/payload.ts'

/** A call of a forge's API. */
export type ForgeRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | null
}

/** The answer of a forge's API: its status, and its JSON; undefined where it is not JSON. */
export type ForgeAnswer = {
  readonly status: number
  readonly json: unknown
  /** The seconds after which the forge wants to be asked again; null when it does not say so. */
  readonly retryAfter: number | null
  /** True when the forge refuses because it was asked too often. */
  readonly isRateLimit: boolean
}

/** Asks a forge's API. Rejects when no answer comes. */
export type AskForge = (request: ForgeRequest) => Promise<ForgeAnswer>

/** The only connection that kotef opens to a network: `kotef report --comment` asks for it. */
export const askForge: AskForge = async ({ method, url, headers, body }) => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    body: body === null ? null : JSON.stringify(body),
    // A redirect could lead the token to another server.
    redirect: 'error',
    signal: AbortSignal.timeout(FORGE_ANSWER_MS_MAX),
  })
  const { status, headers: answered } = response
  const retryAfter = secondsIn(answered.get('retry-after'))
  const isSpent = answered.get('x-ratelimit-remaining') === '0'
  const isRateLimit = status === 429 || (status === 403 && (retryAfter !== null || isSpent))
  return { status, json: jsonOrUndefined(await response.text()), retryAfter, isRateLimit }
}

function secondsIn(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null
}
