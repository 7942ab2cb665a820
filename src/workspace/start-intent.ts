import { trackedPaths } from '../diff/tracked.ts'
import { intentNamed } from '../intents/find.ts'
import type { Intent } from '../intents/intent.ts'
import { unmetDependencies } from '../intents/lifecycle.ts'
import { KotefError } from '../report/failure.ts'
import { overlapsOf, type Overlap } from '../scope/overlap.ts'
import { openIntent } from './change-intents.ts'
import { compile } from './compile.ts'
import { judgeSoFar } from './judge-so-far.ts'
import { loadConfig, loadRegistry } from './policy.ts'
import { type SessionWish, type Started, startSession } from './sessions.ts'
import type { Workspace } from './workspace.ts'

/** An intent that somebody works on from now on, and what else is open on the same paths. */
export type IntentStarted = Started & { readonly intent: Intent; readonly overlaps: readonly Overlap[] }

/** Opens a session on an intent in this worktree; a resting intent goes IN_PROGRESS. */
export async function startIntent(workspace: Workspace, wish: SessionWish): Promise<IntentStarted> {
  const { intents } = await loadRegistry(workspace)
  // Asked first, so that a damaged policy leaves nothing half started.
  await loadConfig(workspace)
  const intent = intentNamed(intents, wish.intent)
  refuseWaiting(intent, intents)
  const open = await openIntent(workspace, intent.id)
  await judgeSoFar(workspace)
  const started = await startSession(workspace, wish)
  await compile(workspace)
  const others = intents.filter(it => it.status === 'IN_PROGRESS' && it.id !== intent.id)
  const overlaps = overlapsOf(open, others, await workspace.git.ask(trackedPaths))
  return { ...started, intent: open, overlaps }
}

function refuseWaiting(intent: Intent, intents: readonly Intent[]): void {
  const unmet = unmetDependencies(intent, intents)
  if (unmet.length === 0) return
  const list = unmet.map(id => `${id} (${intents.find(it => it.id === id)?.status ?? 'unknown'})`)
  throw new KotefError('dependency-unmet', `${intent.id} waits for ${list.join(', ')}.`)
}
