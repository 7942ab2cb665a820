import type { AgentRequest } from './request.ts'
import { parseObject } from '../base/payload.ts'

/** A person's answer to a request. */
export type RequestAnswer = Pick<AgentRequest, 'session' | 'intent' | 'kind' | 'wants'> & {
  /** The id of the request. */
  readonly request: string
  readonly verdict: 'granted' | 'rejected'
  readonly reason: string | null
  /** ISO 8601. */
  readonly at: string
}

// Agents' hooks load this file, so it does not use zod, which takes 25 ms to load.

/** Reads the file of an answer; null when it is not one. */
export function readAnswer(text: string): RequestAnswer | null {
  const value = parseObject(text)
  if (value === null) return null
  const { request, session, intent, kind, wants, verdict, reason, at } = value
  const isWhole =
    [request, session, intent, at].every(it => typeof it === 'string' && it !== '') &&
    (kind === 'scope' || kind === 'approval') &&
    (verdict === 'granted' || verdict === 'rejected') &&
    (reason === null || typeof reason === 'string') &&
    Array.isArray(wants) &&
    wants.every(it => typeof it === 'string')
  return isWhole ? ({ request, session, intent, kind, wants, verdict, reason, at } as RequestAnswer) : null
}
