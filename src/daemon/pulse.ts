import type { TraceRecord } from '../ledger/record.ts'
import { sessionIn } from '../ledger/session-url.ts'
import { beat } from '../workspace/session-store.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** Takes down which sessions are at work, going by what is recorded as written by them. */
export type Pulse = AsyncDisposable & { felt(records: readonly TraceRecord[]): void }

/** A session whose writes are seen gives a sign of life with them: of one without hooks there is no other. */
export function pulseOf(workspace: Workspace, failed: (reason: unknown) => void): Pulse {
  const feltAt = new Map<string, number>()
  let beating: Promise<unknown> = Promise.resolve()
  const isDue = (session: string): boolean => workspace.clock.ticks() - (feltAt.get(session) ?? -Infinity) >= PAUSE_MS
  return {
    felt(records) {
      for (const session of new Set(records.flatMap(sessionsOf))) {
        if (!isDue(session)) continue
        feltAt.set(session, workspace.clock.ticks())
        beating = beating.then(() => beat(workspace, session)).catch(failed)
      }
    },
    async [Symbol.asyncDispose]() {
      await beating
    },
  }
}

// Whoever listens counts in hours.
const PAUSE_MS = 60_000

function sessionsOf({ files }: TraceRecord): string[] {
  return files.flatMap(it => it.conversations.flatMap(({ url }) => sessionIn(url) ?? []))
}
