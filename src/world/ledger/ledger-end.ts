import { type Gatherer, readEnd } from '../../core/git/gatherer.ts'
import { LEDGER_END_BYTES } from '../../core/ledger/written-intents.ts'
import { layoutOf } from '../io/worktree/layout.ts'

/** The end of a worktree's ledger; empty without one. `root` is empty in a hook, which git starts there. */
export function* readLedgerEnd(place: { readonly root: string; readonly gitDir: string }): Gatherer<string> {
  const { ledger, keptLedger } = layoutOf({ ...place, commonDir: place.gitDir })
  // Where both are there they are one file, unless another program replaced the worktree's.
  const end = (yield* readEnd(keptLedger, LEDGER_END_BYTES)) ?? (yield* readEnd(ledger, LEDGER_END_BYTES))
  return end?.toString('utf8') ?? ''
}
