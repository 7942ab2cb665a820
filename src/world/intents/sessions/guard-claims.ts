import { readClaim } from '../../../core/intents/claim.ts'
import type { Session } from '../../../core/intents/session.ts'
import { CLAIM_SAVED_MS_MAX } from '../../../core/base/claim-times.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { type ClaimRef, claimRefName, isClaimOfSession, listClaimRefs, readObjects, swapClaim } from './claim-refs.ts'
import { liveSessions, withSessionsLock } from './live-sessions.ts'
import { findEndedSession, findSession } from './session-store.ts'

/** A reference of kotef's that another program changed, and what it pointed to before; null where it was not there. */
export type RefDamage = {
  readonly ref: string
  readonly before: string | null
  readonly intent: string | null
  readonly what: string
  /** What kotef did about it; null when it could do nothing. */
  readonly repair: 'put-back' | 'removed' | null
}

/** What is wrong with a claim's reference that leads to none. */
export const NO_CLAIM = 'does not point to a claim'

/** The object of each claim, by its intent. */
export type KnownClaims = Readonly<Record<string, string>>

type ClaimsLook = { readonly known: KnownClaims; readonly damages: readonly RefDamage[] }

/**
 * Compares the claims of the clone with those that were known, and puts back what no kotef would have changed: a claim
 * of a live session of this worktree that is gone, and one that can't be read. What kotef changes counts at once: a
 * session is saved as ended before its claim is released, and the lock of the sessions is held meanwhile.
 */
export async function guardClaims(workspace: Workspace, known: KnownClaims): Promise<ClaimsLook> {
  const refs = await listClaimRefs(workspace)
  const isAsKnown =
    refs.length === Object.keys(known).length && refs.every(it => it.claim && known[it.intent] === it.oid)
  return isAsKnown ? { known, damages: [] } : withSessionsLock(workspace, () => repairClaims(workspace, known))
}

async function repairClaims(workspace: Workspace, known: KnownClaims): Promise<ClaimsLook> {
  const refs = new Map((await listClaimRefs(workspace)).map(it => [it.intent, it] as const))
  const owned = await claimsOfLiveSessions(workspace, known)
  const next: Record<string, string> = {}
  const damages: RefDamage[] = []
  for (const intent of new Set([...Object.keys(known), ...refs.keys()])) {
    const now = refs.get(intent) ?? null
    const own = owned.get(intent) ?? null
    const what = await whatIsWrong(workspace, now, own)
    if (what === null) {
      if (now?.oid) next[intent] = now.oid
      continue
    }
    const isRepaired = await putBack(workspace, { intent, now, own })
    if (isRepaired && own !== null) next[intent] = own
    const repair = !isRepaired ? null : own === null ? 'removed' : 'put-back'
    damages.push({ ref: claimRefName(intent), before: known[intent] ?? null, intent, what, repair })
  }
  return { known: next, damages }
}

/** What another program did to a claim; null when kotef itself may have changed it, or nobody. */
async function whatIsWrong(workspace: Workspace, now: ClaimRef | null, own: string | null): Promise<string | null> {
  if (now === null) return own === null ? null : 'was removed'
  if (now.claim === null) return NO_CLAIM
  if (own === null || now.oid === own) return null
  const store = { gitDir: `${workspace.commonDir}/${now.claim.gitDir}`, files: workspace.files }
  const { session } = now.claim
  const holder = (await findSession(store, session)) ?? (await findEndedSession(store, session))
  // The session that takes a claim over is saved soon after it.
  const isNew = workspace.clock.now() - Date.parse(now.claim.claimedAt) < CLAIM_SAVED_MS_MAX
  return holder || isNew ? null : 'names no session'
}

type Repair = { readonly intent: string; readonly now: ClaimRef | null; readonly own: string | null }

async function putBack(workspace: Workspace, { intent, now, own }: Repair): Promise<boolean> {
  // Not even git can read it.
  if (now && now.oid === null) return false
  return (await swapClaim(workspace, { intent, from: now?.oid ?? null, to: own })) === null
}

/** Of the known claims, those of the live sessions of this worktree. */
async function claimsOfLiveSessions(workspace: Workspace, known: KnownClaims): Promise<Map<string, string>> {
  const sessions: readonly Session[] = await liveSessions(workspace)
  const objects = await readObjects(workspace, Object.values(known))
  const claims = new Map(objects.map(it => [it.oid, it.type === 'blob' ? readClaim(it.text) : null] as const))
  const isOwn = ([intent, oid]: [string, string]): boolean => {
    const claim = claims.get(oid)
    return !!claim && sessions.some(it => it.intent === intent && isClaimOfSession(workspace, claim, it.id))
  }
  return new Map(Object.entries(known).filter(isOwn))
}
