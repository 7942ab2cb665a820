import { setTimeout as wait } from 'node:timers/promises'
import { FORGE_RETRY_MS, FORGE_RETRY_MS_MAX } from '../../../core/base/thresholds.ts'
import type { AskForge, ForgeAnswer, ForgeRequest } from './forge-request.ts'

/** Waits for a time. */
export type Pause = (ms: number) => Promise<unknown>

/**
 * Asks a forge again, at most twice, where a question can have an answer later: when it was asked too often, when it
 * fails, or when no answer comes. A request that creates something is only sent again if the forge has refused it.
 */
export function askingAgain(ask: AskForge, pause: Pause = wait): AskForge {
  return async request => {
    for (let tries = 1; ; tries++) {
      const answer = await ask(request).catch((thrown: unknown) => thrown as Error)
      const retryMs = tries < TRIES_MAX ? retryTime(answer, request) : null
      if (retryMs !== null) await pause(retryMs)
      else if (answer instanceof Error) throw answer
      else return answer
    }
  }
}

const TRIES_MAX = 3

// A pipeline does not wait as long as a forge may ask for: an hour is usual.
function retryTime(answer: ForgeAnswer | Error, { method }: ForgeRequest): number | null {
  if (answer instanceof Error || answer.status >= 500) return method === 'POST' ? null : FORGE_RETRY_MS
  if (!answer.isRateLimit) return null
  const ms = (answer.retryAfter ?? 1) * 1_000
  return ms <= FORGE_RETRY_MS_MAX ? ms : null
}
