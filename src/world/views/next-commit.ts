import { gatherChoreFacts } from '../commits/chore-facts.ts'
import { gatherGitFacts } from '../commits/git-facts.ts'
import { gatherTakenBack, recentHistory } from '../commits/taken-back.ts'
import { intentSources } from '../commits/intent-sources.ts'
import { sessionIntents } from '../../core/intents/session.ts'
import { gather } from '../io/git/gather.ts'
import type { NextCommit } from '../../core/report/status-text.ts'
import { sortChanges } from '../../core/rules/commit-facts.ts'
import { ownersOf } from '../../core/rules/owners.ts'
import { resolveIntents } from '../../core/rules/resolve-intents.ts'
import type { CompiledPolicy } from '../../core/intents/scope/compiled-policy.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/** The intents that a commit of the staged changes would be for, as the hooks find them; null without any changes. */
export async function nextCommit(
  workspace: Workspace,
  { policy, sessions }: Pick<CompiledPolicy, 'policy'> & { readonly sessions: Parameters<typeof sessionIntents>[0] },
): Promise<NextCommit | null> {
  const { gitDir, root, clock } = workspace
  const facts = await gather(workspace, gatherGitFacts({ gitDir, namedSides: [] }))
  if (facts.changes.length === 0 || facts.adoption || facts.conflicted !== null) return null
  const { changes } = facts
  const live = sessionIntents(sessions)
  const chores = await gather(workspace, gatherChoreFacts({ root, gitDir, isPersons: () => true }, { changes, policy }))
  const back = await gather(workspace, gatherTakenBack(facts, { policies: [policy], history: recentHistory }))
  const staged = { ...facts, ...NO_HOOK, ...chores, ...back, policy, live }
  const sorted = sortChanges(staged)
  const pending = { root, gitDir, author: null, now: clock.now(), message: '', changes }
  const sources = intentSources(pending, { cited: [], live, byAgent: false })
  const found = await gather(workspace, resolveIntents({ staged, sorted }, sources))
  return { ...found, owners: found.by === null ? ownersOf(sorted.work, staged, sorted).words : '' }
}

// What only a hook knows.
const NO_HOOK = {
  byAgent: false,
  claimedByOthers: [],
  agents: [],
  approved: false,
  replaying: false,
  onlyTransitions: false,
}
