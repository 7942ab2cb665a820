import { join } from 'node:path'
import type { Available, ContextFacts, Handshake, Listed } from '../context/facts.ts'
import { lessonsIn } from '../context/lessons.ts'
import { promptSection } from '../context/section.ts'
import { intentNamed } from '../intents/find.ts'
import { whyNotSelectable } from '../intents/lifecycle.ts'
import { loadPolicy, loadRegistry } from '../workspace/policy.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { workOf } from './work-of.ts'

/** All that an agent should know of an intent, as registry, policy, ledger, notes and worktree have it now. */
export async function contextOf(workspace: Workspace, id: string): Promise<ContextFacts> {
  const { intents } = await loadRegistry(workspace)
  const intent = intentNamed(intents, id)
  const policy = await loadPolicy(workspace)
  // A scope that nobody committed yet is not the one that writes are held to.
  const owned_scope = policy.intents.find(it => it.id === id)?.owned_scope ?? intent.owned_scope
  const told = await workspace.files.read(join(workspace.root, '.orchestration/AGENT.md'))
  const lessons = lessonsIn(told?.toString('utf8') ?? '', owned_scope)
  return { intent: { ...intent, owned_scope }, forbidden: policy, ...(await workOf(workspace, id)), lessons }
}

/** The intents that a session can select here now. */
export async function availableIn(workspace: Workspace): Promise<Available[]> {
  return (await listedIn(workspace)).filter(it => it.whyNot === null)
}

/** All intents, and why the others can't be selected. */
export async function listedIn(workspace: Workspace): Promise<Listed[]> {
  const { intents } = await loadRegistry(workspace)
  return intents.map(it => ({ ...it, whyNot: whyNotSelectable(it, intents) }))
}

/** The governance section of an agent's prompt, for a session that has selected an intent, or none yet. */
export async function promptSectionOf(workspace: Workspace, selected: string | null): Promise<string> {
  return promptSection(await handshakeOf(workspace, selected))
}

async function handshakeOf(workspace: Workspace, selected: string | null): Promise<Handshake> {
  if (selected === null) return { available: await availableIn(workspace) }
  return { selected: await contextOf(workspace, selected) }
}
