import { join } from 'node:path'
import type { SelectableIntent, ContextFacts, SelectionState, ListedIntent } from '../context/facts.ts'
import { lessonsIn } from '../context/lessons.ts'
import { promptSection } from '../context/context-text.ts'
import { findIntent } from '../intents/find-intent.ts'
import { selectionRefusal } from '../intents/lifecycle.ts'
import { loadPolicy, loadRegistry } from '../policy/load-policy.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { loadIntentWork } from './intent-work.ts'

/** All that an agent should know of an intent, as registry, policy, ledger, notes and worktree have it now. */
export async function loadIntentContext(workspace: Workspace, id: string): Promise<ContextFacts> {
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, id)
  const policy = await loadPolicy(workspace)
  // A scope that nobody committed yet is not the one that writes are held to.
  const owned_scope = policy.intents.find(it => it.id === id)?.owned_scope ?? intent.owned_scope
  const lessonsFile = await workspace.files.read(join(workspace.root, '.orchestration/AGENT.md'))
  const lessons = lessonsIn(lessonsFile?.toString('utf8') ?? '', owned_scope)
  return { intent: { ...intent, owned_scope }, forbidden: policy, ...(await loadIntentWork(workspace, id)), lessons }
}

/** The intents that a session can select here now. */
export async function listSelectableIntents(workspace: Workspace): Promise<SelectableIntent[]> {
  return (await listIntents(workspace)).filter(it => it.whyNot === null)
}

/** All intents, and why the others can't be selected. */
export async function listIntents(workspace: Workspace): Promise<ListedIntent[]> {
  const { intents } = await loadRegistry(workspace)
  return intents.map(it => ({ ...it, whyNot: selectionRefusal(it, intents) }))
}

/** The governance section of an agent's prompt, for a session that has selected an intent, or none yet. */
export async function loadPromptSection(workspace: Workspace, selected: string | null): Promise<string> {
  return promptSection(await loadSelectionState(workspace, selected))
}

async function loadSelectionState(workspace: Workspace, selected: string | null): Promise<SelectionState> {
  if (selected === null) return { available: await listSelectableIntents(workspace) }
  return { selected: await loadIntentContext(workspace, selected) }
}
