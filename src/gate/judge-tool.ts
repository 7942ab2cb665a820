import { enforcementOf } from '../intents/enforcement.ts'
import type { HandoverRole } from '../handover/agents.ts'
import { isOpen } from '../intents/lifecycle.ts'
import { judgePath } from '../scope/judge-path.ts'
import type { RunEnd } from '../runs/run-state.ts'
import { type Policy, policyForAgents, type PolicyIntent } from '../scope/policy.ts'
import { judgeTarget, type TargetFact } from './judge-target.ts'
import {
  claimLost,
  governanceOff,
  hooksOff,
  intentRequired,
  interactiveShell,
  opaqueCommand,
  runStopped,
  targetsUnknown,
  tooManyTargets,
  orchestrationUnavailable,
  type Reason,
} from './reasons.ts'
import type { OpaqueCommandPolicy } from '../intents/config.ts'
import type { ToolCall } from './parse-tool-call.ts'

/** The facts that a judgement needs: of the session, the repository, and the call's targets. */
export type GateFacts = {
  /** Why registry, policy, session, claim or ledger can't be read; null when they can. */
  readonly unavailable: string | null
  /** The intent that the session has selected, as it is in the registry now; null before the selection. */
  readonly intent: PolicyIntent | null
  /** The other session that holds the claim on that intent; null when none does. */
  readonly otherHolder: string | null
  /** How the session's run was stopped; null while it goes on. */
  readonly runEnd: RunEnd | null
  /** The session's role in a handover; absent or null without one. */
  readonly role?: HandoverRole | null
  readonly policy: Policy
  readonly opaqueCommands: OpaqueCommandPolicy
  /** One for each of the call's targets. */
  readonly targets: readonly TargetFact[]
  /** The blob oid of each path when this session last read or wrote it; null for no file. */
  readonly knownOids: ReadonlyMap<string, string | null>
}

/** Whether the agent may use the tool. An allowed call with `opaque-command` is judged again when it is done. */
export type GateVerdict = { readonly kind: 'allow' | 'deny' | 'ask'; readonly reasons: readonly Reason[] }

/** The verdict if it is the same whatever the facts; null if the facts are needed. */
export function judgeWithoutFacts(call: ToolCall): GateVerdict | null {
  const off = (call.shell?.switches ?? []).map(governanceOff)
  // Gemini CLI sets `core.hooksPath` to an empty folder in the environment of each command.
  if (call.agent === 'gemini' && call.shell?.asksHooks) off.push(hooksOff())
  if (off.length > 0) return deny(off)
  if (isHarmless(call)) return { kind: 'allow', reasons: [] }
  return call.targets.length > TARGETS_MAX ? deny([tooManyTargets(call.tool, TARGETS_MAX)]) : null
}

// To find each target on the disk takes time, and the agent waits.
const TARGETS_MAX = 1000

/** The verdict on a call that `judgeWithoutFacts` left open. */
export function judgeWithFacts(call: ToolCall, facts: GateFacts): GateVerdict {
  if (facts.unavailable !== null) return deny([orchestrationUnavailable(facts.unavailable)])
  return verdictAsEnforced(judgeFacts(call, facts), facts.policy)
}

function judgeFacts(call: ToolCall, facts: GateFacts): GateVerdict {
  if (!facts.intent || !isOpen(facts.intent.status)) return deny([intentRequired(facts.intent)])
  if (facts.otherHolder !== null) return deny([claimLost(facts.intent.id, facts.otherHolder)])
  if (facts.runEnd !== null) return deny([runStopped(facts.runEnd, facts.intent.id)])
  return judgeMutation(call, facts, facts.intent)
}

/** A verdict at the levels of the repository: allowed when it blocks for none of the reasons. */
export function verdictAsEnforced(verdict: GateVerdict, { enforcements }: Policy): GateVerdict {
  if (verdict.kind !== 'deny') return verdict
  const howOf = ({ code }: Reason) => enforcementOf(RULES_OF_REASONS[code] ?? code, enforcements)
  if (verdict.reasons.some(it => howOf(it) === 'block')) return verdict
  return { kind: 'allow', reasons: verdict.reasons.filter(it => howOf(it) === 'warn') }
}

// The rules for commits that say the same as a reason.
const RULES_OF_REASONS: Readonly<Partial<Record<Reason['code'], string>>> = {
  'intent-required': 'intent-named',
  'scope-violation': 'in-scope',
  'governance-plane': 'governance-alone',
  'handover-contract': 'handover-transition',
}

function isHarmless(call: ToolCall): boolean {
  return call.class === 'read' || call.class === 'meta' || call.shell?.kind === 'read'
}

function judgeMutation(call: ToolCall, facts: GateFacts, intent: PolicyIntent): GateVerdict {
  const judge = judgePath(policyForAgents(facts.policy))
  const authority = { intent, judge, knownOids: facts.knownOids, role: facts.role ?? null }
  const reasons = facts.targets.flatMap(it => judgeTarget(it, authority))
  if (facts.targets.length < call.targets.length || namesNoFile(call)) reasons.push(targetsUnknown(call.tool))
  // Codex runs no hook for what it types into an interactive shell.
  if (call.agent === 'codex' && call.shell?.interactive) reasons.push(interactiveShell())
  if (reasons.length > 0) return deny(reasons)
  const why = whyOpaque(call)
  if (why === null) return { kind: 'allow', reasons: [] }
  const kind = facts.opaqueCommands === 'allow-and-watch' ? 'allow' : facts.opaqueCommands
  return { kind, reasons: [opaqueCommand(why)] }
}

/** True for a tool that edits files, but names none. */
function namesNoFile(call: ToolCall): boolean {
  return call.class === 'write' && call.targets.length === 0
}

/** Why the call may write more than its targets; null when it can't. */
function whyOpaque({ class: kind, shell, tool }: ToolCall): string | null {
  if (kind === 'unknown') return `kotef does not know what ${tool} does`
  return shell?.kind === 'opaque' ? shell.why : null
}

function deny(reasons: readonly Reason[]): GateVerdict {
  return { kind: 'deny', reasons }
}
