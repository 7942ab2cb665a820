import { relative } from 'node:path'
import type { IntentSession } from '../pages/intent-facts.ts'
import { listClaimRefs } from '../../../world/intents/sessions/claim-refs.ts'
import { liveSessions } from '../../../world/intents/sessions/live-sessions.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'

/** The sessions that hold intents now, by intent: those of this worktree, and those of the clone's other ones. */
export async function intentHolders(workspace: Workspace): Promise<ReadonlyMap<string, readonly IntentSession[]>> {
  const [sessions, claims] = await Promise.all([liveSessions(workspace), listClaimRefs(workspace).catch(() => [])])
  const here = sessions.map(it => ({ ...it, elsewhere: null }))
  const own = relative(workspace.commonDir, workspace.gitDir) || '.'
  const elsewhere = claims.flatMap(({ intent, claim }) => {
    if (claim === null || claim.gitDir === own) return []
    const { session, agent, claimedAt, worktree } = claim
    return [{ id: session, intent, agent, claimedAt, elsewhere: worktree }]
  })
  const holders = new Map<string, IntentSession[]>()
  for (const { id, intent, agent, claimedAt, elsewhere: folder } of [...here, ...elsewhere]) {
    const session = { id, agent, startedAt: claimedAt, endedAt: null, isLive: true, elsewhere: folder, records: 0 }
    holders.set(intent, [...(holders.get(intent) ?? []), session])
  }
  return holders
}
