import { join } from 'node:path'
import type { SelectableIntent, ContextFacts, SelectionState, ListedIntent } from '../context/facts.ts'
import { lessonsIn } from '../context/lessons.ts'
import { promptSection } from '../context/context-text.ts'
import { findIntent } from '../intents/find-intent.ts'
import { selectionRefusal } from '../intents/lifecycle.ts'
import { loadPolicy, loadRegistry } from '../policy/load-policy.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { loadIntentWork } from './intent-work.ts'

/** The facts about an intent for an agent, from the registry, policy, ledger, notes and worktree. */
export async function loadIntentContext(workspace: Workspace, id: string): Promise<ContextFacts> {
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, id)
  const policy = await loadPolicy(workspace)
  // Writes are judged by the committed scope, not by an uncommitted edit of it.
  const owned_scope = policy.intents.find(it => it.id === id)?.owned_scope ?? intent.owned_scope
  const lessonsFile = await workspace.files.read(join(workspace.root, '.orchestration/AGENT.md'))
  const lessons = lessonsIn(lessonsFile?.toString('utf8') ?? '', owned_scope)
  return { intent: { ...intent, owned_scope }, forbidden: policy, ...(await loadIntentWork(workspace, id)), lessons }
}

/** The intents that a session can select. */
export async function listSelectableIntents(workspace: Workspace): Promise<SelectableIntent[]> {
  return (await listIntents(workspace)).filter(it => it.whyNot === null)
}

/** All intents, each with the reason why it can't be selected, or null. */
export async function listIntents(workspace: Workspace): Promise<ListedIntent[]> {
  const { intents } = await loadRegistry(workspace)
  return intents.map(it => ({ ...it, whyNot: selectionRefusal(it, intents) }))
}

/** The governance section of an agent's prompt; `selected` is the session's intent, or null. */
export async function loadPromptSection(workspace: Workspace, selected: string | null): Promise<string> {
  return promptSection(await loadSelectionState(workspace, selected))
}

async function loadSelectionState(workspace: Workspace, selected: string | null): Promise<SelectionState> {
  if (selected === null) return { available: await listSelectableIntents(workspace) }
  return { selected: await loadIntentContext(workspace, selected) }
}
