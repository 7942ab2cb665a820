import type { Reply } from '../../core/agents/adapter.ts'
import { denialText, warningText } from '../../core/agents/gate/denial.ts'
import type { DecidedLocation, TargetFact } from '../../core/agents/gate/judge-target.ts'
import {
  type GateFacts,
  type GateVerdict,
  judgeWithFacts,
  verdictAsEnforced,
} from '../../core/agents/gate/judge-tool.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import type { AskedFact, TargetLocation } from '../../core/agents/gate/target-rows.ts'
import { sessionOfPath } from '../../core/handover/port.ts'
import { gateFacts } from './gate-facts.ts'
import type { LocationQuestion } from './free-targets.ts'
import type { LightWorktree } from './governed-worktree.ts'

type JudgedCall = { readonly verdict: GateVerdict; readonly decided: readonly DecidedLocation[] }

/** Judges a call that `judgeWithoutFacts` left open, of an agent whose working folder is `cwd`. */
export async function judgeInWorktree(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<JudgedCall> {
  let facts = await gateFacts(worktree, call, cwd)
  for (;;) {
    const judged = judgeWithFacts(call, facts)
    if (!('need' in judged)) return { ...judged, verdict: await withContract(worktree, call, { ...judged, facts }) }
    const question = { worktree, of: judged.of, targets: facts.targets }
    // What can't be found out is not so.
    const locations = await GATHERERS[judged.need](question, call.session).catch(() => new Set<TargetLocation>())
    facts = { ...facts, found: { ...facts.found, [judged.need]: locations } }
  }
}

type Gatherer = (question: LocationQuestion, session: string) => Promise<ReadonlySet<TargetLocation>>

// Loaded where a row asks, so that a call in scope waits for no git.
const GATHERERS: Readonly<Record<AskedFact, Gatherer>> = {
  isTemporary: async it => (await import('./free-targets.ts')).temporaryAmong(it),
  isIgnored: async it => (await import('./free-targets.ts')).ignoredAmong(it),
  isOwnNewFile: async (it, session) => (await import('./own-new-files.ts')).ownNewAmong(it, session),
}

type Judged = { readonly facts: GateFacts; readonly verdict: GateVerdict }

// What a call writes into a session of the handover is checked before it is there.
async function withContract(worktree: LightWorktree, call: ToolCall, { facts, verdict }: Judged): Promise<GateVerdict> {
  const isSession = (it: TargetFact) => it.locations.some(at => at.kind === 'inside' && sessionOfPath(at.path))
  if (verdict.kind !== 'allow' || call.class !== 'write' || !facts.targets.some(isSession)) return verdict
  const { sessionWriteReasons } = await import('./judge-session-write.ts')
  const reasons = await sessionWriteReasons(worktree.root, call, facts)
  return reasons.length === 0 ? verdict : verdictAsEnforced({ kind: 'deny', reasons }, facts.policy)
}

/** The reply for a verdict. */
export function replyToVerdict({ kind, reasons }: GateVerdict): Reply {
  if (kind !== 'allow') return { kind, text: denialText(reasons) }
  // An opaque command is judged by what it wrote, so it needs no warning.
  const warned = reasons.filter(it => it.code !== 'opaque-command')
  return warned.length === 0 ? { kind: 'silence' } : { kind: 'context', text: warningText(warned) }
}
