// Records whose only content is a number, for tests of reading many.

import { appendRecords } from '../../src/world/ledger/append-records.ts'
import type { Workspace } from '../../src/world/io/worktree/workspace.ts'

/** The ids of some records. */
export const ids = (records: readonly { id: string }[]) => records.map(it => it.id)

/** Appends a record for each number, the last one left out, in turn for three intents. */
export async function report(workspace: Workspace, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, n) => from + n)
  const event = (n: number) => ({ event: 'intent-added', intent: `INT-${n % 3}` }) as const
  await appendRecords(
    workspace,
    numbers.map(n => ({ event: event(n) })),
    { head: null },
  )
}
