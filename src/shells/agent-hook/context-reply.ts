import { autostartForSession } from '../../world/io/daemon-client/autostart.ts'
import { loadConfig } from '../../world/intents/policy/load-policy.ts'
import { isOpen } from '../../core/intents/lifecycle.ts'
import type { Reply } from '../../core/agents/adapter.ts'
import { inactiveIntentSection, unavailableSection } from '../../core/agents/context/context-text.ts'
import { loadPromptSection } from '../../world/provenance/intent-context.ts'
import { toKotefError } from '../../core/base/failure.ts'
import { clearOldTexts } from '../../world/runs/clear-old-texts.ts'
import { removeOldCalls } from '../../world/runs/private-calls.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { type LightWorktree, loadCallPolicy, sessionSelection } from './governed-worktree.ts'

/**
 * The current context of a session for its agent's model; when it can't be determined, a section that says why. At the
 * start of the session the daemon is started, so that it sees the first write.
 */
export async function contextReply(
  worktree: LightWorktree,
  session: string,
  { isStart }: { readonly isStart: boolean },
): Promise<Reply> {
  if (isStart) {
    await startDaemon(worktree).catch(() => {})
    await tidyTexts(worktree).catch(() => {})
  }
  const text = await contextSectionFor(worktree, session).catch((thrown: unknown) =>
    unavailableSection(toKotefError(thrown).message),
  )
  return { kind: 'context', text }
}

async function startDaemon({ root }: LightWorktree): Promise<void> {
  const workspace = await openWorkspace(root)
  await autostartForSession(workspace, await loadConfig(workspace))
}

async function tidyTexts({ root, clock }: LightWorktree): Promise<void> {
  const workspace = await openWorkspace(root)
  await removeOldCalls(workspace, clock.now())
  await clearOldTexts(workspace)
}

async function contextSectionFor(worktree: LightWorktree, id: string): Promise<string> {
  const { policy } = await loadCallPolicy(worktree)
  const { session, intent } = await sessionSelection(worktree, id, policy)
  if (intent && !isOpen(intent.status)) return inactiveIntentSection(intent)
  return loadPromptSection(await openWorkspace(worktree.root), session)
}
