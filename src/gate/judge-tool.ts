import { judgePath } from '../scope/judge-path.ts'
import type { Policy, PolicyIntent } from '../scope/policy.ts'
import { judgeTarget } from './judge-target.ts'
import type { Reason } from './reason.ts'
import {
  claimLost,
  governanceOff,
  hooksOff,
  intentRequired,
  interactiveShell,
  opaqueCommand,
  targetsUnknown,
  orchestrationUnavailable,
} from './reasons.ts'
import type { OpaqueCommandPolicy } from '../intents/config.ts'
import type { TargetFact } from '../agents/target.ts'
import type { ToolCall } from './tool-call.ts'

/** All that a judgement needs to know about the session, the repository, and where the call's targets really are. */
export type GateFacts = {
  /** Why the state of the orchestration can't be read; null when it can. */
  readonly unavailable: string | null
  /** The intent that the session has selected, as the registry has it now; null before the selection. */
  readonly intent: PolicyIntent | null
  /** Who holds the claim on that intent, if it is another session that does; null when none does. */
  readonly otherHolder: string | null
  readonly policy: Policy
  readonly opaqueCommands: OpaqueCommandPolicy
  /** One for each of the call's targets. */
  readonly targets: readonly TargetFact[]
  /** The blob oid of each path as this session last read or wrote it. */
  readonly knownOids: ReadonlyMap<string, string | null>
}

/** May the agent use this tool? An allowed call may have a reason too: `opaque-command` means that it is watched. */
export type GateVerdict = { readonly kind: 'allow' | 'deny' | 'ask'; readonly reasons: readonly Reason[] }

/** What is said of a call whatever the facts are; null when it hangs on them. */
export function judgeWithoutFacts(call: ToolCall): GateVerdict | null {
  const off = (call.shell?.switches ?? []).map(governanceOff)
  // What it puts into the environment of each command has git look for its hooks where there are none.
  if (call.agent === 'gemini' && call.shell?.asksHooks) off.push(hooksOff())
  if (off.length > 0) return deny(off)
  return isHarmless(call) ? { kind: 'allow', reasons: [] } : null
}

/** The one judgement of a tool call: facts in, verdict out. */
export function judgeTool(call: ToolCall, facts: GateFacts): GateVerdict {
  const known = judgeWithoutFacts(call)
  if (known) return known
  if (facts.unavailable !== null) return deny([orchestrationUnavailable(facts.unavailable)])
  if (facts.intent?.status !== 'IN_PROGRESS') return deny([intentRequired(facts.intent)])
  if (facts.otherHolder !== null) return deny([claimLost(facts.intent.id, facts.otherHolder)])
  return judgeMutation(call, facts, facts.intent)
}

function isHarmless(call: ToolCall): boolean {
  return call.class === 'read' || call.class === 'meta' || call.shell?.kind === 'read'
}

function judgeMutation(call: ToolCall, facts: GateFacts, intent: PolicyIntent): GateVerdict {
  const authority = { intent, judge: judgePath(facts.policy), knownOids: facts.knownOids }
  const reasons = facts.targets.flatMap(it => judgeTarget(it, authority))
  if (facts.targets.length < call.targets.length || namesNoFile(call)) reasons.push(targetsUnknown(call.tool))
  // Into a shell that waits for words, Codex types without asking.
  if (call.agent === 'codex' && call.shell?.interactive) reasons.push(interactiveShell())
  if (reasons.length > 0) return deny(reasons)
  const why = whyOpaque(call)
  if (why === null) return { kind: 'allow', reasons: [] }
  const kind = facts.opaqueCommands === 'allow-and-watch' ? 'allow' : facts.opaqueCommands
  return { kind, reasons: [opaqueCommand(why)] }
}

/** A tool that edits files, and doesn't say which. */
function namesNoFile(call: ToolCall): boolean {
  return call.class === 'write' && call.targets.length === 0
}

/** Why the call may write more than it says; null when it may not. */
function whyOpaque({ class: kind, shell, tool }: ToolCall): string | null {
  if (kind === 'unknown') return `nobody knows what ${tool} does`
  return shell?.kind === 'opaque' ? shell.why : null
}

function deny(reasons: readonly Reason[]): GateVerdict {
  return { kind: 'deny', reasons }
}
