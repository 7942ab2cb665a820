import { type ClaimHolder, type IntentClaim, type StaleReason, staleReason } from '../../../core/intents/claim.ts'
import type { Config } from '../../../core/intents/config.ts'
import type { Session } from '../../../core/intents/session.ts'
import { isProcessAlive } from '../../io/process/processes.ts'
import { gather } from '../../io/git/gather.ts'
import { KotefError } from '../../../core/base/failure.ts'
import type { ClaimState } from '../../../core/report/claim-line.ts'
import { momentText } from '../../../core/report/local-time.ts'
import { printable } from '../../../core/base/printable.ts'
import {
  listClaimRefs,
  writeClaimObject,
  claimOn,
  type StoredClaim,
  isClaimOfSession,
  relativeGitDir,
  swapClaim,
  claimUnreadableError,
} from './claim-refs.ts'
import { findEndedSession, findSession } from './session-store.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

export type ClaimTerms = {
  readonly config: Pick<Config, 'claims' | 'claims_ttl_minutes'>
  /** Takes the claim from the session that holds it. */
  readonly steal: boolean
  /** Sessions of this worktree that the new one replaces. */
  readonly replaced: readonly Session[]
}

/** The result of claiming an intent, and a way to undo it. */
export type ClaimOutcome = {
  /** `shared` when another session holds the claim, and the config lets several sessions work on one intent. */
  readonly claim: 'held' | 'shared'
  /** The session that held the claim until now, and why it lost it; null when no session did. */
  readonly stolen: { readonly from: string; readonly why: StaleReason | 'by-force' } | null
  readonly undo: () => Promise<unknown>
}

/** Claims a session's intent in all worktrees of the clone. Throws while another session holds the claim. */
export async function claimIntent(workspace: Workspace, session: Session, terms: ClaimTerms): Promise<ClaimOutcome> {
  const { intent } = session
  const to = await writeClaimObject(workspace, newClaim(workspace, session))
  let why = ''
  for (let tries = 0; tries < CLAIM_TRIES_MAX; tries++) {
    const ref = await gather(workspace, claimOn(workspace, intent))
    const decision = await decideClaim(workspace, { ref, session, terms })
    if (decision === 'held' || decision === 'shared') return { claim: decision, stolen: null, undo: async () => {} }
    const from = ref?.oid ?? null
    const refusal = await swapClaim(workspace, { intent, from, to })
    const undo = () => swapClaim(workspace, { intent, from: to, to: from })
    if (refusal === null) return { claim: 'held', stolen: decision, undo }
    why = refusal
  }
  throw claimUnreadableError(workspace, intent, why)
}

// A session that loses a race reads the winner's claim at its next try; more tries fail only for a damaged ref.
const CLAIM_TRIES_MAX = 5

type ClaimAttempt = { readonly ref: StoredClaim | null; readonly session: Session; readonly terms: ClaimTerms }

/** Whether a session has the claim already, shares it, or takes it: then from which session and why, or null. */
async function decideClaim(
  workspace: Workspace,
  { ref, session, terms }: ClaimAttempt,
): Promise<ClaimOutcome['claim'] | ClaimOutcome['stolen']> {
  const { claim = null } = ref ?? {}
  if (!claim) return null
  if (isClaimOfSession(workspace, claim, session.id)) return 'held'
  if (terms.replaced.some(it => isClaimOfSession(workspace, claim, it.id))) return null
  // An agent in the worktree of the person who started the intent works for that person, and takes over the claim. A
  // second agent then finds the claim of the first.
  const isHere = claim.gitDir === relativeGitDir(workspace)
  if (isHere && claim.agent === null && session.kind === 'agent') return null
  const why = await stalenessOf(workspace, claim, terms.config)
  if (why ?? terms.steal) return { from: claim.session, why: why ?? 'by-force' }
  if (terms.config.claims === 'allow' || (isHere && session.kind === 'person')) return 'shared'
  throw claimHeldError(claim, session.intent, workspace.clock.now())
}

function claimHeldError(claim: IntentClaim, intent: string, now: number): KotefError {
  const who = holderName(claim)
  const where = `in ${printable(claim.worktree)} on ${printable(claim.host)}`
  const since = momentText(claim.claimedAt, now)
  return new KotefError('claim-held', `${intent} is held by ${who} ${where} since ${since}.`, {
    hint: `Select another intent. A person can take the claim: \`kotef intent start ${intent} --steal\``,
  })
}

function holderName({ agent, session }: IntentClaim): string {
  return `${agent === null ? 'a person' : printable(agent)} (session ${printable(session)})`
}

/** Releases the claim that a session holds on its intent, if it does. */
export async function releaseClaim(workspace: Workspace, session: Session): Promise<void> {
  // A damaged claim is left: the next session that selects the intent gets an error that says how to remove it.
  const ref = await gather(workspace, claimOn(workspace, session.intent)).catch(() => null)
  if (!ref || !isClaimOfSession(workspace, ref.claim, session.id)) return
  await swapClaim(workspace, { intent: session.intent, from: ref.oid, to: null })
}

/** Removes every claim of the clone. */
export async function removeClaims(workspace: Workspace): Promise<void> {
  for (const { intent, oid } of await listClaimRefs(workspace))
    await swapClaim(workspace, { intent, from: oid, to: null })
}

/** Every claim of the clone, from all of its worktrees, and whether it is stale. */
export async function claimStandings(
  workspace: Workspace,
  config: Pick<Config, 'claims_ttl_minutes'>,
): Promise<ClaimState[]> {
  const refs = await listClaimRefs(workspace)
  return Promise.all(
    refs.map(async ({ intent, claim }) => ({
      intent,
      claim,
      stale: claim && (await stalenessOf(workspace, claim, config)),
      here: claim?.gitDir === relativeGitDir(workspace),
    })),
  )
}

/** The intents that agents' sessions hold in the other worktrees of the clone. */
export async function heldInOtherWorktrees(
  workspace: Workspace,
  config: Pick<Config, 'claims_ttl_minutes'>,
): Promise<string[]> {
  const claims = await claimStandings(workspace, config)
  const isOthers = ({ claim, stale, here }: ClaimState) => !here && stale === null && (claim?.agent ?? null) !== null
  return claims.filter(isOthers).map(it => it.intent)
}

/** The intents that an agent's session can't claim because another session holds them, each with the holder. */
export async function heldIntents(
  workspace: Workspace,
  session: string | null,
  config: ClaimTerms['config'],
): Promise<Map<string, string>> {
  if (config.claims === 'allow') return new Map()
  const claims = await claimStandings(workspace, config)
  return new Map(
    claims.flatMap(({ intent, claim, stale, here }): [string, string][] => {
      // As in `decideClaim`: an agent takes over the claim of a person in its worktree.
      const isFree = !claim || stale !== null || (here && (claim.agent === null || claim.session === session))
      return isFree ? [] : [[intent, `is held by ${holderName(claim)}`]]
    }),
  )
}

async function stalenessOf(
  workspace: Workspace,
  claim: IntentClaim,
  config: Pick<Config, 'claims_ttl_minutes'>,
): Promise<StaleReason | null> {
  const { clock } = workspace
  const ttlMs = config.claims_ttl_minutes * 60_000
  return staleReason(claim, await claimHolder(workspace, claim), {
    host: clock.host,
    now: clock.now(),
    ttlMs,
    isAlive: isProcessAlive,
  })
}

async function claimHolder({ commonDir, files }: Workspace, claim: IntentClaim): Promise<ClaimHolder> {
  const store = { gitDir: `${commonDir}/${claim.gitDir}`, files }
  try {
    const live = await findSession(store, claim.session)
    if (live) return { kind: 'live', pid: live.pid, heartbeatAt: live.heartbeatAt }
    const ended = await findEndedSession(store, claim.session)
    return ended?.endedAt ? { kind: 'ended', endedAt: ended.endedAt } : { kind: 'none' }
  } catch {
    return { kind: 'damaged' }
  }
}

function newClaim(workspace: Workspace, { id, agent, pid }: Session): IntentClaim {
  const { clock, root } = workspace
  return {
    session: id,
    agent,
    host: clock.host,
    pid,
    by: clock.pid,
    worktree: root,
    gitDir: relativeGitDir(workspace),
    claimedAt: new Date(clock.now()).toISOString(),
  }
}
