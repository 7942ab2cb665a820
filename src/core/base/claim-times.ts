/**
 * A session is saved within this time after it has claimed its intent; a claim of a session that is not there then was
 * made by another program. Test: own-refs.test.ts, the claim that names no session.
 */
export const CLAIM_SAVED_MS_MAX = 60_000
