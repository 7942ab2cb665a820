/** How many intents a page shows. */
export const INTENTS_SHOWN = 50

/** How many rows of each list the page of an intent shows. */
export const OVERVIEW_ROWS = 10

/** How many rows of such a list its own page shows. */
export const LIST_ROWS = 100

/** How many records, the newest, the history of an intent is made of. */
export const HISTORY_RECORDS_MAX = 5_000
