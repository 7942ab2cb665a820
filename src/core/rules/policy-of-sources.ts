import { type AgentFreedom, type Config, type HandoverGates, readConfig } from '../intents/config.ts'
import { choreLimits, type Intent, keepsBehaviour } from '../intents/intent.ts'
import { enforcementsIn } from '../intents/enforcement.ts'
import { readRegistry } from '../intents/registry.ts'
import { forbiddenPaths } from '../intents/contract/forbidden-paths.ts'
import { constraintsOfFile, constraintsOfIntent } from '../intents/contract/enforced-constraints.ts'
import type { CompiledPolicy } from '../intents/scope/compiled-policy.ts'
import { intentignoreLines } from '../intents/scope/intentignore.ts'
import { effectivePolicy, type Policy } from '../intents/scope/policy.ts'
import { PROJECT_POLICY_PATH } from '../base/governance-files.ts'
import { LESSONS_FILES } from '../lessons/lessons-file.ts'

/** All that the policy of a worktree follows from. */
export type PolicySources = WorktreeSources & {
  /** True where the worktree keeps intents in files of their own. */
  readonly isTeam: boolean
  /** The commit that HEAD names; null while it is unborn. */
  readonly headOid: string | null
  /** The texts of the policy files at HEAD, in the order of their list; of the registry, the whole. */
  readonly head: PolicyTexts
}

type WorktreeSources = {
  readonly intents: readonly Intent[]
  readonly config: Config
  readonly markdown: string | null
  readonly ignore: string | null
}

/** Null for a policy file that is not there. */
export type PolicyTexts = readonly (string | null)[]

/** The policy that judges paths in a worktree: the worktree's policy, never wider than HEAD's. */
export function policyOf({ isTeam, head, ...worktree }: PolicySources): Policy {
  const policy = buildPolicy(worktree)
  return effectivePolicy(isTeam ? { ...policy, isTeam } : policy, policyFromTexts(head))
}

/** The policy as far as the calls of agents are judged by it. */
export function callPolicyOf(
  sources: PolicySources,
): Pick<CompiledPolicy, 'policy' | 'opaqueCommands' | 'claims' | 'freedom'> {
  const { opaque_commands: opaqueCommands, claims } = sources.config
  return { policy: policyOf(sources), opaqueCommands, claims, freedom: freedomOf(sources) }
}

/** Which files outside every scope an agent may write: what the worktree's config allows, and HEAD's does not deny. */
function freedomOf({ config, head }: PolicySources): AgentFreedom {
  const committed = configOf(head).agents
  const tighter = (key: keyof AgentFreedom) => (committed[key] === 'deny' ? 'deny' : config.agents[key])
  return { temporary: tighter('temporary'), ignored: tighter('ignored') }
}

/** Who may answer the questions of gates in a handover: a person where the worktree's config says so, or HEAD's. */
export function handoverGatesOf(config: Config, head: PolicyTexts): HandoverGates {
  return configOf(head).handover.gates === 'person' ? 'person' : config.handover.gates
}

function configOf([, text = null]: PolicyTexts): Config {
  return readConfig(text).config
}

/**
 * The policy of a commit, from the texts of its policy files; null when it has no registry. A registry that can't be
 * parsed has no intents and so no scopes; if it threw, a commit could never repair it.
 */
export function policyFromTexts(texts: PolicyTexts): Policy | null {
  const [registry, , markdown = null, ignore = null] = texts
  if (!registry) return null
  const { intents } = readRegistry(registry)
  return buildPolicy({ intents, config: configOf(texts), markdown, ignore })
}

function buildPolicy({ intents, config, markdown, ignore }: WorktreeSources): Policy {
  const { governance, rides, bots, anchor, lessons } = config
  const constraints = constraintsOfFile(PROJECT_POLICY_PATH, markdown ?? '')
  return {
    intents: intents.map(policyIntent),
    governance,
    rides,
    bots,
    ...(lessons.file === 'CLAUDE.md' && { lessonsFile: LESSONS_FILES[lessons.file] }),
    ...(anchor === 'trailer' && { isAnchored: true }),
    enforcements: enforcementsIn(config),
    forbidden: forbiddenPaths(markdown ?? ''),
    ...(constraints.length > 0 && { constraints }),
    intentignore: intentignoreLines(ignore ?? ''),
  }
}

/** An intent as the policy has it. */
export function policyIntent(intent: Intent): Policy['intents'][number] {
  const { id, name, status, owned_scope } = intent
  const constraints = constraintsOfIntent(id, intent.constraints)
  const chores = choreLimits(intent)
  const kept = keepsBehaviour(intent) && { keepsBehaviour: true as const }
  const more = { ...(constraints.length > 0 && { constraints }), ...kept }
  return { id, name, status, owned_scope, ...(chores && { chores }), ...more }
}
