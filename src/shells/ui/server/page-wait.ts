import { setTimeout as waitFor } from 'node:timers/promises'
import { PAGE_WAIT_MS_MAX } from '../../../core/base/page-times.ts'
import type { PageRequest } from './page-route.ts'

/** How long a page waits for facts that take long; null waits for all: nobody waits for a page that is saved. */
export function waitOf({ isWhole = false }: PageRequest): Promise<unknown> | null {
  return isWhole ? null : waitFor(PAGE_WAIT_MS_MAX, null, { ref: false })
}
