import { join } from 'node:path'
import type { PathChange } from '../../core/git/changes.ts'
import { type Gatherer, pathExists } from '../../core/git/gatherer.ts'
import { sessionOfPath, SESSIONS_FOLDER } from '../../core/handover/port.ts'
import { roleBreaches, taskLineWriters } from '../../core/ledger/written-roles.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'

/** What the ledger knows of the roles that wrote some changes. */
export type RoleFacts = {
  readonly roleBreaches: ReturnType<typeof roleBreaches>
  /** For changed lists of tasks, the writer of each line. */
  readonly taskLines: ReturnType<typeof taskLineWriters>
}

/** Gathers which changes were written by roles; the ledger is read only where agents hand over by files. */
export function* gatherRoleFacts(
  place: Parameters<typeof readLedgerEnd>[0],
  changes: readonly PathChange[],
): Gatherer<RoleFacts> {
  const isInUse =
    changes.some(it => sessionOfPath(it.path)) ||
    (changes.length > 0 && (yield* pathExists(join(place.root, SESSIONS_FOLDER))))
  const text = isInUse ? yield* readLedgerEnd(place) : ''
  return { roleBreaches: roleBreaches(text, changes), taskLines: taskLineWriters(text, changes) }
}
