import { type Holder, type IntentClaim, type Staleness, whyStale } from '../intents/claim.ts'
import type { Config } from '../intents/config.ts'
import type { Session } from '../intents/session.ts'
import { isAlive } from '../io/alive.ts'
import { KotefError } from '../report/failure.ts'
import type { ClaimStanding } from '../report/claims.ts'
import { printable } from '../report/printable.ts'
import {
  allClaims,
  claimObject,
  claimOn,
  type ClaimRef,
  isClaimOf,
  placeOf,
  swapClaim,
  unreadable,
} from './claim-refs.ts'
import { endedSession, sessionNamed } from './session-store.ts'
import type { Workspace } from './workspace.ts'

export type Terms = {
  readonly config: Pick<Config, 'claims' | 'claims_ttl_minutes'>
  /** Takes the claim from whoever holds it. */
  readonly steal: boolean
  /** Sessions of this worktree that the new one takes the place of. */
  readonly replaced: readonly Session[]
}

/** What came of claiming an intent, and a way to have it as it was. */
export type Claiming = {
  /** `shared` when another session has it, and the config lets several work on one intent. */
  readonly claim: 'held' | 'shared'
  /** Whose the claim was until now, and why it is no more. */
  readonly stolen: { readonly from: string; readonly why: Staleness | 'by-force' } | null
  readonly undo: () => Promise<unknown>
}

/** Claims the intent of a session for it, in all worktrees of the clone; refused while another session holds it. */
export async function claimIntent(workspace: Workspace, session: Session, terms: Terms): Promise<Claiming> {
  const { intent } = session
  const to = await claimObject(workspace, claimFor(workspace, session))
  let why = ''
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const ref = await claimOn(workspace, intent)
    const stance = await stanceTo(workspace, { ref, session, terms })
    if (stance === 'held' || stance === 'shared') return { claim: stance, stolen: null, undo: async () => {} }
    const from = ref?.oid ?? null
    const refusal = await swapClaim(workspace, { intent, from, to })
    const undo = () => swapClaim(workspace, { intent, from: to, to: from })
    if (refusal === null) return { claim: 'held', stolen: stance, undo }
    why = refusal
  }
  throw unreadable(workspace, intent, why)
}

// Of those who race for it, each is beaten at most once or twice before it reads who won.
const TRIES_MAX = 5

type Question = { readonly ref: ClaimRef | null; readonly session: Session; readonly terms: Terms }

/** How a session stands to the claim that is there: it may take it (from whom, and why), or has it, or shares it. */
async function stanceTo(
  workspace: Workspace,
  { ref, session, terms }: Question,
): Promise<Claiming['claim'] | Claiming['stolen']> {
  const { claim = null } = ref ?? {}
  if (!claim) return null
  if (isClaimOf(workspace, claim, session.id)) return 'held'
  if (terms.replaced.some(it => isClaimOf(workspace, claim, it.id))) return null
  // An agent in the worktree of the person who began the intent works for that person; a second agent finds the first.
  const isHere = claim.gitDir === placeOf(workspace)
  if (isHere && claim.agent === null && session.kind === 'agent') return null
  const why = await stalenessOf(workspace, claim, terms.config)
  if (why ?? terms.steal) return { from: claim.session, why: why ?? 'by-force' }
  if (terms.config.claims === 'allow' || (isHere && session.kind === 'person')) return 'shared'
  throw held(claim, session.intent)
}

function held(claim: IntentClaim, intent: string): KotefError {
  const who = `${claim.agent === null ? 'a person' : printable(claim.agent)} (session ${printable(claim.session)})`
  const where = `in ${printable(claim.worktree)} on ${printable(claim.host)}`
  return new KotefError('claim-held', `${intent} is held by ${who} ${where} since ${claim.claimedAt}`, {
    hint: `Select another intent. A person may take it all the same: \`kotef intent start ${intent} --steal\``,
  })
}

/** Gives back the claim that a session holds on its intent, if it does. */
export async function releaseClaim(workspace: Workspace, session: Session): Promise<void> {
  // What can't be read is nobody's to release; whoever selects the intent next is told.
  const ref = await claimOn(workspace, session.intent).catch(() => null)
  if (!ref?.claim || !isClaimOf(workspace, ref.claim, session.id)) return
  await swapClaim(workspace, { intent: session.intent, from: ref.oid, to: null })
}

/** Takes every claim of the clone away. */
export async function removeClaims(workspace: Workspace): Promise<void> {
  for (const { intent, oid } of await allClaims(workspace)) await swapClaim(workspace, { intent, from: oid, to: null })
}

/** Every claim of the clone, whichever worktree it is from. */
export async function claimStandings(
  workspace: Workspace,
  config: Pick<Config, 'claims_ttl_minutes'>,
): Promise<ClaimStanding[]> {
  const refs = await allClaims(workspace)
  return Promise.all(
    refs.map(async ({ intent, claim }) => ({
      intent,
      claim,
      stale: claim && (await stalenessOf(workspace, claim, config)),
      here: claim?.gitDir === placeOf(workspace),
    })),
  )
}

async function stalenessOf(
  workspace: Workspace,
  claim: IntentClaim,
  config: Pick<Config, 'claims_ttl_minutes'>,
): Promise<Staleness | null> {
  const { clock } = workspace
  const ttlMs = config.claims_ttl_minutes * 60_000
  return whyStale(claim, await holderOf(workspace, claim), { host: clock.host, now: clock.now(), ttlMs, isAlive })
}

async function holderOf({ commonDir, files }: Workspace, claim: IntentClaim): Promise<Holder> {
  const place = { gitDir: `${commonDir}/${claim.gitDir}`, files }
  try {
    const live = await sessionNamed(place, claim.session)
    if (live) return { kind: 'live', pid: live.pid, heartbeatAt: live.heartbeatAt }
    const ended = await endedSession(place, claim.session)
    return ended?.endedAt ? { kind: 'ended', endedAt: ended.endedAt } : { kind: 'none' }
  } catch {
    return { kind: 'damaged' }
  }
}

function claimFor(workspace: Workspace, { id, agent, pid }: Session): IntentClaim {
  const { clock, root } = workspace
  return {
    session: id,
    agent,
    host: clock.host,
    pid,
    by: clock.pid,
    worktree: root,
    gitDir: placeOf(workspace),
    claimedAt: new Date(clock.now()).toISOString(),
  }
}
