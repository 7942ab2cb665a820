import { trackedPaths } from '../diff/tracked.ts'
import { intentNamed } from '../intents/find.ts'
import type { Intent } from '../intents/intent.ts'
import { unmetDependencies } from '../intents/lifecycle.ts'
import type { Session } from '../intents/session.ts'
import { KotefError } from '../report/failure.ts'
import { overlapsOf, type Overlap } from '../scope/overlap.ts'
import { refuseIllegal } from './change-intents.ts'
import { compile } from './compile.ts'
import { newSession, type Opened, openSession, type SessionWish } from './open-session.ts'
import { loadConfig, loadRegistry } from './policy.ts'
import { liveSessions, withSessions } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** What a session is opened with: an agent's name, or none for a person. */
type StartWish = Pick<Session, 'intent' | 'agent' | 'model'> & { readonly steal?: boolean }

/** An intent that somebody works on from now on, and what else is open on the same paths. */
export type IntentStarted = Opened & { readonly overlaps: readonly Overlap[] }

/**
 * Opens the session of a person, or of a declared agent, on an intent in this worktree; a resting intent goes
 * IN_PROGRESS. There is one of these at a time: an earlier one ends, unless it is the very same wish, which is then
 * answered with the session that lives.
 */
export async function startIntent(workspace: Workspace, wish: StartWish): Promise<IntentStarted> {
  const { intents } = await loadRegistry(workspace)
  // Asked first, so that a damaged policy leaves nothing half started.
  const config = await loadConfig(workspace)
  const intent = intentNamed(intents, wish.intent)
  refuseWaiting(intent, intents)
  if (intent.status !== 'IN_PROGRESS') refuseIllegal(intent, 'IN_PROGRESS')
  const opened = await withSessions(workspace, async () => {
    const earlier = (await liveSessions(workspace)).filter(it => it.kind === 'person' || it.declared)
    const same = earlier.find(it => it.intent === wish.intent && it.agent === wish.agent && it.model === wish.model)
    const session = same ?? (await newSession(workspace, hookless(workspace, wish)))
    const replaced = earlier.filter(it => it !== same)
    return openSession(workspace, { session, isNew: !same }, { config, steal: wish.steal ?? false, replaced })
  })
  await compile(workspace)
  return { ...opened, overlaps: await overlapsWith(workspace, opened.intent, intents) }
}

// The command that opens it is gone at once; the session stays until the next one, or until its intent rests.
function hookless({ clock }: Workspace, { intent, agent, model }: StartWish): SessionWish {
  return { id: clock.uuid(), intent, agent, model, declared: agent !== null, pid: null }
}

/** The other intents in progress that own paths of this one as well. */
export async function overlapsWith(
  { git }: Workspace,
  intent: Intent,
  all: readonly Intent[],
): Promise<readonly Overlap[]> {
  const others = all.filter(it => it.status === 'IN_PROGRESS' && it.id !== intent.id)
  return overlapsOf(intent, others, await git.ask(trackedPaths))
}

/** Throws when an intent waits for others. */
export function refuseWaiting(intent: Intent, intents: readonly Intent[]): void {
  const unmet = unmetDependencies(intent, intents)
  if (unmet.length === 0) return
  const list = unmet.map(id => `${id} (${intents.find(it => it.id === id)?.status ?? 'unknown'})`)
  throw new KotefError('dependency-unmet', `${intent.id} waits for ${list.join(', ')}.`)
}
