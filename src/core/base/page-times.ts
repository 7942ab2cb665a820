/**
 * How long a page of `kotef ui` waits for facts that take long before it is sent without them. People take a longer
 * time for a page that hangs. Test: slow-source.test.ts.
 */
export const PAGE_WAIT_MS_MAX = 250

/** How old the ledger may be of which a page of `kotef ui` shows the judgement. Test: page-facts/range.test.ts. */
export const LEDGER_JUDGEMENT_MS_MAX = 60_000
