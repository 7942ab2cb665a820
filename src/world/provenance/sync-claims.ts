import { isExpired, type SharedClaim } from '../../core/intents/claim.ts'
import type { Session } from '../../core/intents/session.ts'
import { loadConfig } from '../intents/policy/load-policy.ts'
import { writeClaimObject } from '../intents/sessions/claim-refs.ts'
import { claimStandings } from '../intents/sessions/claims.ts'
import {
  ELSEWHERE_REFS,
  type FetchedClaim,
  fetchedClaims,
  nameClone,
  readCloneId,
} from '../intents/sessions/other-clones.ts'
import { findSession } from '../intents/sessions/session-store.ts'
import { sha256Hex } from '../../core/base/sha256.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The number of claims that this clone shares with the remote, and of those that other clones do. */
export type SyncedClaims = { readonly shared: number; readonly elsewhere: number }

/**
 * Shows a remote which intents the sessions of this clone hold, and fetches what other clones hold. Each clone writes
 * only below its own name; what has expired is removed by the clone that finds it.
 */
export async function syncClaims(workspace: Workspace, remote: string): Promise<SyncedClaims> {
  const config = await loadConfig(workspace)
  const ours = await claimsToShare(workspace, config)
  const own = ours.length > 0 ? await nameClone(workspace) : await readCloneId(workspace)
  const there = await fetchClaims(workspace, remote)
  const mine = there.filter(it => it.clone === own)
  const changed = ours.filter(({ intent, oid }) => !mine.some(it => it.intent === intent && it.oid === oid))
  const gone = mine.filter(it => !ours.some(({ intent }) => intent === it.intent))
  const additions = changed.map(({ intent, oid }) => `+${oid}:${CLONE_REFS}/${own}/claims/${intent}`)
  const removals = gone.map(it => `:${remoteRefOf(it)}`)
  await pushRefs(workspace, { remote, refspecs: [...additions, ...removals] })
  const isOver = ({ clone, claim }: FetchedClaim) =>
    clone !== own && (!claim || isExpired(claim, workspace.clock.now(), config.claims_ttl_minutes))
  const over = there.filter(isOver)
  await removeExpired(workspace, remote, over)
  return { shared: ours.length, elsewhere: there.length - mine.length - over.length }
}

/** Fetches the claims of all clones, this one's among them, in place of those of the last time. */
async function fetchClaims(workspace: Workspace, remote: string): Promise<FetchedClaim[]> {
  const local = `${ELSEWHERE_REFS}/${sha256Hex(remote).slice(0, REMOTE_NAME_LENGTH)}`
  const quiet = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--no-auto-maintenance']
  const refspec = `+${CLONE_REFS}/*:${local}/*`
  await workspace.git.bytes(['fetch', ...quiet, '--prune', '--end-of-options', remote, refspec])
  return fetchedClaims(workspace, local)
}

async function removeExpired(workspace: Workspace, remote: string, over: readonly FetchedClaim[]): Promise<void> {
  for (const { ref } of over) await workspace.git.tryAsk({ args: ['update-ref', '-d', ref], parse: () => null })
  const leases = over.map(it => `--force-with-lease=${remoteRefOf(it)}:${it.oid}`)
  const refspecs = over.map(it => `:${remoteRefOf(it)}`)
  // Its own clone may be faster, or the remote may forbid it: then the claim stays there, and is not shown.
  await pushRefs(workspace, { remote, refspecs, leases }).catch(() => {})
}

// The claims of each clone stand below its name, so that no two clones write the same ref.
const CLONE_REFS = 'refs/kotef/clones'

// The address of a remote can be longer than a file name may be.
const REMOTE_NAME_LENGTH = 16

function remoteRefOf({ clone, intent }: FetchedClaim): string {
  return `${CLONE_REFS}/${clone}/claims/${intent}`
}

type Push = { readonly remote: string; readonly refspecs: readonly string[]; readonly leases?: readonly string[] }

async function pushRefs({ git }: Workspace, { remote, refspecs, leases = [] }: Push): Promise<void> {
  if (refspecs.length === 0) return
  // Without `--no-verify` kotef's own pre-push hook would run.
  await git.bytes(['push', '--quiet', '--no-verify', ...leases, '--end-of-options', remote, ...refspecs])
}

type ClaimToShare = { readonly intent: string; readonly oid: string }

/** The valid claims of this clone as git objects. Paths and process ids stay here. */
async function claimsToShare(
  workspace: Workspace,
  config: Awaited<ReturnType<typeof loadConfig>>,
): Promise<ClaimToShare[]> {
  const standings = await claimStandings(workspace, config)
  const shared: ClaimToShare[] = []
  for (const { intent, claim, stale } of standings) {
    if (!claim || stale !== null) continue
    const store = { ...workspace, gitDir: `${workspace.commonDir}/${claim.gitDir}` }
    const session: Session | null = await findSession(store, claim.session).catch(() => null)
    const { agent, host, claimedAt } = claim
    const more: SharedClaim = { session: claim.session, agent, host, claimedAt, heartbeatAt: claimedAt }
    const content = session ? { ...more, heartbeatAt: session.heartbeatAt } : more
    shared.push({ intent, oid: await writeClaimObject(workspace, content) })
  }
  return shared
}
