import { gatherGitFacts } from '../commits/git-facts.ts'
import { headOid } from '../git/head-oid.ts'
import { KotefError } from '../findings/failure.ts'
import { agentNames, sessionIntents } from '../intents/session.ts'
import { gather } from '../io/git/gather.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { loadPolicy } from '../policy/load-policy.ts'
import { isTransitionsOnly } from '../registry/transitions-only.ts'
import type { Verification } from '../report/verification.ts'
import type { StagedFacts } from '../rules/commit-facts.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import { liveSessions } from '../sessions/live-sessions.ts'
import type { ScratchWorkspace } from './verify-ranges.ts'

/** Judges the staged changes, as pre-commit does. */
export async function verifyStaged(
  workspace: ScratchWorkspace,
  { allowEmpty }: { readonly allowEmpty: boolean },
): Promise<Verification> {
  const head = await workspace.git.tryAsk(headOid)
  const facts = await stagedFactsForVerify(workspace)
  if (facts.changes.length === 0 && !allowEmpty) throw new KotefError('range-empty', 'Nothing is staged.')
  const findings = judgeStaged(facts).map(it => ({ ...it, commit: null, subject: null }))
  return { ranges: [{ name: 'index', from: head, to: null, commits: 0, passedOver: 0 }], findings }
}

async function stagedFactsForVerify(workspace: ScratchWorkspace): Promise<StagedFacts> {
  const policy = await loadPolicy(workspace)
  const facts = await gather(workspace, gatherGitFacts({ gitDir: workspace.gitDir, namedSides: [] }))
  const registry = facts.changes.find(it => it.path === REGISTRY_PATH)
  const sessions = await liveSessions(workspace)
  return {
    ...facts,
    policy,
    live: sessionIntents(sessions),
    agents: agentNames(sessions),
    // Only the message shows whether the commit is a governance change, which would need an approval.
    approved: false,
    replaying: false,
    onlyTransitions: registry ? await isTransitionsOnly(workspace.blobs, registry) : false,
  }
}
