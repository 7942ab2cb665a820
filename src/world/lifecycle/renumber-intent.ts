import { planRenumber, type RenamedCommits, renumberCommits } from '../commits/renumber-commits.ts'
import { KotefError } from '../../core/base/failure.ts'
import { findIntent, type Intent, nextIntentId } from '../../core/intents/intent.ts'
import { type Renumbering, withIntentId } from '../../core/intents/renumber-yaml.ts'
import type { Session } from '../../core/intents/session.ts'
import { gather } from '../io/git/gather.ts'
import { compilePolicy } from '../intents/policy/compile-policy.ts'
import { loadRegistry } from '../intents/policy/load-policy.ts'
import { editRegistry } from '../intents/registry/edit-registry.ts'
import { idsInUse, takenIds } from '../intents/registry/taken-ids.ts'
import { currentBranch, intentStartedOn, saveBranchIntent } from '../intents/sessions/branch-intent.ts'
import { claimOn, isClaimOfSession, swapClaim } from '../intents/sessions/claim-refs.ts'
import { liveSessions, withSessionsLock } from '../intents/sessions/live-sessions.ts'
import { saveSession } from '../intents/sessions/session-store.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** An intent with another id, and what was changed for it. */
export type RenumberedIntent = Renumbering & {
  readonly intent: Intent
  readonly commits: RenamedCommits
  /** How many of these commits cite the intent; the others only follow them. */
  readonly cited: number
  readonly sessions: readonly string[]
  /** The command that replaces the pushed ones; null where none was pushed. */
  readonly push: string | null
}

/**
 * Gives an intent another id: in the registry, in the sessions of this worktree, and in the messages of this branch's
 * own commits. Without `to` it is the next free one. All that can be refused is refused before the first change.
 */
export async function renumberIntent(
  workspace: Workspace,
  { from, to: wanted, range }: { readonly from: string; readonly to: string | null; readonly range: string | null },
): Promise<RenumberedIntent> {
  const plan = await planRenumber(workspace, { from }, range)
  const to = await freeId(workspace, { from, to: wanted })
  const ids = { from, to }
  const intents = await editRegistry(
    workspace,
    text => withIntentId(text, ids),
    () => ({ event: 'intent-renumbered', intent: to, from }),
  )
  const commits = plan ? await renumberCommits(workspace, plan, ids).catch(takeBack(workspace, ids)) : new Map()
  const sessions = await withSessionsLock(workspace, () => renumberSessions(workspace, ids))
  const branch = await gather(workspace, currentBranch(workspace))
  const started = branch === null ? null : await gather(workspace, intentStartedOn(workspace, branch))
  if (started === from) await saveBranchIntent(workspace, to)
  await compilePolicy(workspace)
  return {
    ...ids,
    intent: findIntent(intents, to),
    commits,
    cited: plan?.citing.size ?? 0,
    sessions,
    push: plan?.push ?? null,
  }
}

// Another process moved the branch meanwhile.
function takeBack(workspace: Workspace, { from, to }: Renumbering): (thrown: unknown) => Promise<never> {
  return async thrown => {
    await editRegistry(
      workspace,
      text => withIntentId(text, { from: to, to: from }),
      () => ({ event: 'intent-renumbered', intent: from, from: to }),
    )
    throw thrown
  }
}

async function freeId(workspace: Workspace, { from, to }: { from: string; to: string | null }): Promise<string> {
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, from)
  const known = intents.map(it => it.id)
  const next = nextIntentId([...intents.filter(it => it !== intent), intent], await takenIds(workspace))
  if (to === null || ![...known, ...(await idsInUse(workspace))].includes(to)) return to ?? next
  throw new KotefError('usage', `${to} is an intent already, here or on another branch.`, {
    hint: `Take the next free id: \`kotef intent renumber ${from} ${next}\``,
  })
}

// Another worktree may mean another intent by the id, so its sessions stay.
async function renumberSessions(workspace: Workspace, { from, to }: Renumbering): Promise<string[]> {
  const sessions = (await liveSessions(workspace)).filter(it => it.intent === from)
  for (const session of sessions) {
    await moveClaim(workspace, session, to)
    await saveSession(workspace, { ...session, intent: to })
  }
  return sessions.map(it => it.id)
}

async function moveClaim(workspace: Workspace, { id, intent }: Session, to: string): Promise<void> {
  const held = await gather(workspace, claimOn(workspace, intent))
  if (!held || !isClaimOfSession(workspace, held.claim, id)) return
  await swapClaim(workspace, { intent: to, from: null, to: held.oid })
  await swapClaim(workspace, { intent, from: held.oid, to: null })
}
