import { trackedPaths } from '../git/tracked-paths.ts'
import { findIntent } from '../intents/find-intent.ts'
import type { Intent } from '../intents/intent.ts'
import { unmetDependencies } from '../intents/lifecycle.ts'
import type { Session } from '../intents/session.ts'
import { KotefError } from '../findings/failure.ts'
import { scopeOverlaps, type ScopeOverlap } from '../scope/scope-overlap.ts'
import { refuseIllegalTransition } from './change-intents.ts'
import { compilePolicy } from '../policy/compile-policy.ts'
import { newSession, type OpenedSession, openSession, type SessionOptions } from './open-session.ts'
import { loadConfig, loadRegistry } from '../policy/load-policy.ts'
import { liveSessions, withSessionsLock } from '../sessions/live-sessions.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** The wanted session. `agent` is null for a person. */
type StartOptions = Pick<Session, 'intent' | 'agent' | 'model'> & { readonly steal?: boolean }

/** A session on a started intent, and the other intents in progress that own some of its paths. */
export type StartedIntent = OpenedSession & { readonly overlaps: readonly ScopeOverlap[] }

/**
 * Opens the session of a person, or of a declared agent, on an intent in this worktree, and puts the intent in
 * progress. A worktree has one such session at a time: an earlier one ends. A repeated call returns the live session.
 */
export async function startIntent(workspace: Workspace, options: StartOptions): Promise<StartedIntent> {
  const { intents } = await loadRegistry(workspace)
  // The config is read first, so that a damaged one leaves nothing half started.
  const config = await loadConfig(workspace)
  const intent = findIntent(intents, options.intent)
  refuseUnmetDependencies(intent, intents)
  if (intent.status !== 'IN_PROGRESS') refuseIllegalTransition(intent, 'IN_PROGRESS')
  const opened = await withSessionsLock(workspace, async () => {
    const earlier = (await liveSessions(workspace)).filter(it => it.kind === 'person' || it.declared)
    const same = earlier.find(
      it => it.intent === options.intent && it.agent === options.agent && it.model === options.model,
    )
    const session = same ?? (await newSession(workspace, sessionOptionsFor(workspace, options)))
    const replaced = earlier.filter(it => it !== same)
    return openSession(workspace, { session, isNew: !same }, { config, steal: options.steal ?? false, replaced })
  })
  await compilePolicy(workspace)
  return { ...opened, overlaps: await overlappingIntents(workspace, opened.intent, intents) }
}

// Without a pid: the command that opens the session ends at once. The session lives until the next one starts or its
// intent is stopped.
function sessionOptionsFor({ clock }: Workspace, { intent, agent, model }: StartOptions): SessionOptions {
  return { id: clock.uuid(), intent, agent, model, declared: agent !== null, pid: null }
}

/** The other intents in progress that own some of its paths. */
export async function overlappingIntents(
  { git }: Workspace,
  intent: Intent,
  all: readonly Intent[],
): Promise<readonly ScopeOverlap[]> {
  const others = all.filter(it => it.status === 'IN_PROGRESS' && it.id !== intent.id)
  return scopeOverlaps(intent, others, await git.ask(trackedPaths))
}

/** Throws when an intent depends on intents that are not completed. */
export function refuseUnmetDependencies(intent: Intent, intents: readonly Intent[]): void {
  const unmet = unmetDependencies(intent, intents)
  if (unmet.length === 0) return
  const list = unmet.map(id => `${id} (${intents.find(it => it.id === id)?.status ?? 'unknown'})`)
  throw new KotefError('dependency-unmet', `${intent.id} waits for ${list.join(', ')}.`)
}
