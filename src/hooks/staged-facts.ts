import type { GitQuery } from '../git/query.ts'
import { type PathChange, emptyTree, stagedChanges } from '../git/changes.ts'
import type { StagedFacts } from '../rules/commit-facts.ts'
import { REGISTRY_PATH } from '../paths/governance-files.ts'
import { policyInHead, type CompiledPolicy } from '../scope/compiled-policy.ts'
import { isApprovedHere } from './approval.ts'
import { askYamlHelper } from './ask-yaml-helper.ts'
import { inheritedWork } from './inherited-work.ts'
import { pendingMerge } from './pending-merge.ts'
import { askGitSync, isReplaying, type HookContext, tryAskGitSync } from './hook-context.ts'

/** Gathers all that a judgement of the staged changes needs; of the message when there is one. */
export function stagedFacts(context: HookContext, compiledPolicy: CompiledPolicy, message = ''): StagedFacts {
  const merge = pendingMerge(context)
  const changes = merge?.changes ?? changesSinceHead()
  const registry = changes.find(it => it.path === REGISTRY_PATH)
  const onlyTransitions = registry ? isTransitionOnly(context, registry) : false
  const agents = agentNames(compiledPolicy)
  return {
    changes,
    policy: compiledPolicy.policy,
    live: liveIntents(context, compiledPolicy),
    adoption: Boolean(registry && !registry.before && registry.after && !isPolicyFileInHead(REGISTRY_PATH)),
    agents,
    approved: agents.length > 0 && isApprovedHere(context, { changes, policy: compiledPolicy.policy, onlyTransitions }),
    replaying: isReplaying(context),
    conflicted: merge && merge.conflicted,
    inherited: inheritedWork(context, message),
    onlyTransitions,
  }
}

/** The intents of the live sessions, or of the one that the environment names. */
export function liveIntents({ session }: HookContext, { sessions }: CompiledPolicy): string[] {
  const named = sessions.filter(it => it.id === session)
  return [...new Set((named.length > 0 ? named : sessions).map(it => it.intent))]
}

function agentNames({ sessions }: CompiledPolicy): string[] {
  return sessions.flatMap(it => (it.kind === 'agent' ? [it.agent ?? 'an agent'] : []))
}

// Only while HEAD is unborn there is nothing to compare with.
function changesSinceHead(): PathChange[] {
  return (
    tryAskGitSync(stagedChanges('HEAD')) ?? askGitSync(stagedChanges(tryAskGitSync(headTree) ?? askGitSync(emptyTree)))
  )
}

const headTree: GitQuery<string> = {
  args: ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'],
  parse: out => out.trim(),
}

function isPolicyFileInHead(path: string): boolean {
  return (tryAskGitSync(policyInHead) ?? '').split('\0').some(it => it.endsWith(`\t${path}`))
}

// Only the program beside this one can read YAML, so only it can compare two registries by their meaning.
function isTransitionOnly(context: HookContext, { before, after }: PathChange): boolean {
  if (!before || !after || before.mode !== after.mode) return false
  return askYamlHelper<{ moves: boolean }>(context, ['registry-moves', before.oid, after.oid]).moves
}
