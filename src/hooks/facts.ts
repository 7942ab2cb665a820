import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitQuery } from '../diff/query.ts'
import { type Change, stagedChanges } from '../diff/staged.ts'
import type { StagedFacts } from '../rules/facts.ts'
import { POLICY_FILES, policyInHead, type State } from '../scope/state.ts'
import { askPolicy } from './ask-policy.ts'
import { ask, isMerging, isReplaying, type Place, tryAsk } from './place.ts'

const [REGISTRY = ''] = POLICY_FILES

/** Gathers all that a judgement of the staged changes needs. */
export function stagedFacts(place: Place, state: State): StagedFacts {
  const changes = changesOf(place)
  const registry = changes.find(it => it.path === REGISTRY)
  return {
    changes,
    policy: state.policy,
    live: liveIntents(place, state),
    adoption: Boolean(registry && !registry.before && registry.after && !isInHead(REGISTRY)),
    agents: agentsAmong(state),
    approved: false,
    replaying: isReplaying(place),
    registryMoves: registry ? isMove(place, registry) : false,
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

// Of a merge only what differs from every parent was made here.
function changesOf(place: Place): Change[] {
  const changes = ask(stagedChanges(tryAsk(headTree) ?? ask(emptyTree)))
  if (!isMerging(place)) return changes
  const others = mergeHeads(place).map(it => new Set(ask(stagedChanges(it)).map(change => change.path)))
  return changes.filter(change => others.every(it => it.has(change.path)))
}

const headTree: GitQuery<string> = {
  args: ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'],
  parse: out => out.trim(),
}
const emptyTree: GitQuery<string> = { args: ['hash-object', '-t', 'tree', '--stdin'], parse: out => out.trim() }
// `rev-parse MERGE_HEAD` would know the first one only.
function mergeHeads({ gitDir }: Place): string[] {
  return readFileSync(join(gitDir, 'MERGE_HEAD'), 'utf8').trim().split('\n')
}

function isInHead(path: string): boolean {
  return (tryAsk(policyInHead) ?? '').split('\0').some(it => it.endsWith(`\t${path}`))
}

// Only the program beside this one can read YAML, so only it can compare two registries by their meaning.
function isMove(place: Place, { before, after }: Change): boolean {
  if (!before || !after || before.mode !== after.mode) return false
  return askPolicy<{ moves: boolean }>(place, ['registry-moves', before.oid, after.oid]).moves
}
