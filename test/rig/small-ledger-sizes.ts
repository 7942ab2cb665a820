// Sizes by which a ledger of some hundred records counts as one that has grown.

import type { LedgerSizes } from '../../src/world/ledger/compress-ledger.ts'

/** Some 100 lines that are left as they are, of some 20 bytes each in `report`'s records. */
export const SMALL_SIZES: LedgerSizes = { fileMax: 20_000, plain: 6_000, part: 4_096 }
