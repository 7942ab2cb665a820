import type { GitQuery } from '../diff/query.ts'
import { type Change, emptyTree, stagedChanges } from '../diff/staged.ts'
import type { StagedFacts } from '../rules/facts.ts'
import { POLICY_FILES, policyInHead, type State } from '../scope/state.ts'
import { isApprovedHere } from './approved.ts'
import { askPolicy } from './ask-policy.ts'
import { inheritedWork } from './inherited.ts'
import { stagedMerge } from './merge.ts'
import { ask, isRebasing, type Place, tryAsk } from './place.ts'

const [REGISTRY = ''] = POLICY_FILES

/** Gathers all that a judgement of the staged changes needs; of the message when there is one. */
export function stagedFacts(place: Place, state: State, message = ''): StagedFacts {
  const merge = stagedMerge(place)
  const changes = merge?.changes ?? sinceHead()
  const registry = changes.find(it => it.path === REGISTRY)
  const registryMoves = registry ? isMove(place, registry) : false
  const agents = agentsAmong(state)
  return {
    changes,
    policy: state.policy,
    live: liveIntents(place, state),
    adoption: Boolean(registry && !registry.before && registry.after && !isInHead(REGISTRY)),
    agents,
    approved: agents.length > 0 && isApprovedHere(place, { changes, policy: state.policy, registryMoves }),
    replaying: isRebasing(place),
    conflicted: merge && merge.conflicted,
    inherited: inheritedWork(place, message),
    registryMoves,
  }
}

/** The intents of the live sessions, or of the one that the environment names. */
export function liveIntents({ session }: Place, { sessions }: State): string[] {
  const named = sessions.filter(it => it.id === session)
  return [...new Set((named.length > 0 ? named : sessions).map(it => it.intent))]
}

function agentsAmong({ sessions }: State): string[] {
  return sessions.flatMap(it => (it.kind === 'agent' ? [it.agent ?? 'an agent'] : []))
}

// Only while HEAD is unborn there is nothing to compare with.
function sinceHead(): Change[] {
  return tryAsk(stagedChanges('HEAD')) ?? ask(stagedChanges(tryAsk(headTree) ?? ask(emptyTree)))
}

const headTree: GitQuery<string> = {
  args: ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'],
  parse: out => out.trim(),
}

function isInHead(path: string): boolean {
  return (tryAsk(policyInHead) ?? '').split('\0').some(it => it.endsWith(`\t${path}`))
}

// Only the program beside this one can read YAML, so only it can compare two registries by their meaning.
function isMove(place: Place, { before, after }: Change): boolean {
  if (!before || !after || before.mode !== after.mode) return false
  return askPolicy<{ moves: boolean }>(place, ['registry-moves', before.oid, after.oid]).moves
}
