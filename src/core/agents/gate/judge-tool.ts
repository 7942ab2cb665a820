import { enforcementOf } from '../../intents/enforcement.ts'
import { isOpen } from '../../intents/lifecycle.ts'
import { judgePath } from '../../intents/scope/judge-path.ts'
import type { RunEnd } from '../../runs/run-state.ts'
import { type Policy, policyForAgents, type PolicyIntent } from '../../intents/scope/policy.ts'
import {
  type DecidedLocation,
  judgeTarget,
  type NeededFact,
  type TargetAuthority,
  type TargetFact,
  type TargetVerdict,
} from './judge-target.ts'
import { ASKED_FACTS, type AskedFact } from './target-rows.ts'
import { forbiddenRun } from './forbidden-run.ts'
import {
  claimLost,
  constraintBroken,
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
import type { OpaqueCommandPolicy } from '../../intents/config.ts'
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
  readonly policy: Policy
  readonly opaqueCommands: OpaqueCommandPolicy
  /** The dependencies that manifests of the project have; empty where the call adds none. */
  readonly dependencies: ReadonlySet<string>
  /** One for each of the call's targets. */
  readonly targets: readonly TargetFact[]
} & Omit<TargetAuthority, 'intent' | 'judge'>

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

/**
 * The verdict on a call that `judgeWithoutFacts` left open, with the rows that decided on its targets; or the cheapest
 * fact that the verdict still depends on, with the locations of which it is asked.
 */
export type Judgement =
  | { readonly verdict: GateVerdict; readonly decided: readonly DecidedLocation[] }
  | { readonly need: AskedFact; readonly of: readonly NeededFact[] }

/** Judges a call by the facts that are known. */
export function judgeWithFacts(call: ToolCall, facts: GateFacts): Judgement {
  const { unavailable, intent, otherHolder, runEnd, policy } = facts
  if (unavailable !== null) return { verdict: deny([orchestrationUnavailable(unavailable)]), decided: [] }
  const denied = (it: Reason) => ({ verdict: verdictAsEnforced(deny([it]), policy), decided: [] })
  if (!intent || !isOpen(intent.status)) return denied(intentRequired(intent, policy))
  if (otherHolder !== null) return denied(claimLost(intent.id, otherHolder))
  if (runEnd !== null) return denied(runStopped(runEnd, intent.id))
  const judge = judgePath(policyForAgents(policy))
  const targets = facts.targets.map(it => judgeTarget(it, { ...facts, intent, judge }))
  const verdict = verdictAsEnforced(judgeMutation(call, facts, targets), policy)
  return neededFact(targets, verdict) ?? { verdict, decided: targets.flatMap(it => it.decided) }
}

// A reason that the repository does not enforce is not worth a question.
function neededFact(targets: readonly TargetVerdict[], { reasons }: GateVerdict): Judgement | null {
  const open = targets.filter(it => it.needs.length > 0)
  if (!open.some(it => it.reason && reasons.includes(it.reason))) return null
  const needs = open.flatMap(it => it.needs)
  const need = ASKED_FACTS.find(fact => needs.some(it => it.need === fact))
  return need === undefined ? null : { need, of: needs.filter(it => it.need === need) }
}

/** The verdict on a command that only reads, where a constraint forbids commands: nothing else is asked of it. */
export function judgeReading(call: ToolCall, facts: GateFacts): GateVerdict {
  const reasons = forbiddenCommand(call, facts)
  return reasons.length === 0 ? { kind: 'allow', reasons } : verdictAsEnforced(deny(reasons), facts.policy)
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

function judgeMutation(call: ToolCall, facts: GateFacts, targets: readonly TargetVerdict[]): GateVerdict {
  const reasons = [...forbiddenCommand(call, facts), ...targets.flatMap(it => it.reason ?? [])]
  if (facts.targets.length < call.targets.length || namesNoFile(call)) reasons.push(targetsUnknown(call.tool))
  // Codex runs no hook for what it types into an interactive shell.
  if (call.agent === 'codex' && call.shell?.interactive) reasons.push(interactiveShell())
  if (reasons.length > 0) return deny(reasons)
  const why = whyOpaque(call)
  if (why === null) return { kind: 'allow', reasons: [] }
  const kind = facts.opaqueCommands === 'allow-and-watch' ? 'allow' : facts.opaqueCommands
  return { kind, reasons: [opaqueCommand(why)] }
}

function forbiddenCommand({ shell }: ToolCall, { intent, policy, dependencies }: GateFacts): Reason[] {
  const constraints = [...(intent?.constraints ?? []), ...(policy.constraints ?? [])]
  const found = constraints.length === 0 ? null : forbiddenRun(shell?.runs ?? [], constraints, dependencies)
  return found ? [{ ...constraintBroken(found, found.constraint), intent: intent?.id ?? null }] : []
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
