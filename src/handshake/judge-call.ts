import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reply } from '../agents/adapter.ts'
import { denialText } from '../gate/denial.ts'
import { type GateFacts, type GateVerdict, judgeBlindly, judgeTool } from '../gate/judge-tool.ts'
import type { Target, TargetFact } from '../gate/target.ts'
import type { ToolCall } from '../gate/tool-call.ts'
import type { IntentClaim } from '../intents/claim.ts'
import { codeOf } from '../io/files.ts'
import { otherWorktrees } from '../io/other-worktrees.ts'
import { targetsAt } from '../io/targets.ts'
import { KotefError, toKotefError } from '../report/failure.ts'
import { isClaimOf, placeOf } from '../workspace/claim-refs.ts'
import { type Seen, seenBy } from '../workspace/seen.ts'
import { claimNow } from './claim-now.ts'
import type { Governed } from './governed.ts'
import { policyNow } from './policy-now.ts'
import { sessionNow } from './session-now.ts'

/** True when a call has been judged by more than its name. */
export let hasJudged = false

/** May the agent, which works in `cwd`, use this tool? */
export async function judgeCall(place: Governed, call: ToolCall, cwd: string): Promise<GateVerdict> {
  return judgeBlindly(call) ?? judgeTool(call, await factsFor(place, call, cwd).catch(unavailable))
}

/** A verdict as it is told to the agent. */
export function replyFor({ kind, reasons }: GateVerdict): Reply {
  return kind === 'allow' ? { kind: 'silence' } : { kind, text: denialText(reasons) }
}

async function factsFor(place: Governed, call: ToolCall, cwd: string): Promise<GateFacts> {
  const seen = await seenBy(place, call.session)
  const [{ policy, opaqueCommands, claims }, targets] = await Promise.all([
    policyNow(place),
    factsOf(place, call.targets, { cwd, known: seen }),
    refuseUnrecordable(place),
  ])
  const { intent } = await sessionNow(place, call.session, policy)
  const claim = intent?.status === 'IN_PROGRESS' ? await claimNow(place, intent.id) : null
  hasJudged = true
  const lostTo = claims === 'deny' && claim ? lostToIn(place, claim, call.session) : null
  return { unavailable: null, intent, lostTo, policy, opaqueCommands, targets, seen }
}

// An agent in the worktree of the person who holds the intent works with that person.
function lostToIn(place: Governed, claim: IntentClaim, session: string): string | null {
  const isShared = claim.agent === null && claim.gitDir === placeOf(place)
  if (isShared || isClaimOf(place, claim, session)) return null
  return `${claim.agent ?? 'a person'} (session ${claim.session})`
}

/** Where targets really are, and what stands there now as far as it matters. */
export async function factsOf(
  place: Governed,
  targets: readonly Target[],
  from: { readonly cwd: string; readonly known?: Seen },
): Promise<TargetFact[]> {
  if (targets.length === 0) return []
  return targetsAt({ ...place, others: await otherWorktrees(place), ...from }, targets)
}

// What nobody can record is not to be done.
async function refuseUnrecordable({ root }: Governed): Promise<void> {
  const [folder, ledger] = [join(root, '.orchestration'), join(root, '.orchestration/agent_trace.jsonl')]
  const [above, found] = await Promise.all([folder, ledger].map(it => lstat(it).catch(() => null)))
  if (above && !above.isDirectory()) throw new KotefError('disk-failed', `${folder} is no directory.`)
  if (found?.isDirectory()) throw new KotefError('ledger-unwritable', `${ledger} is a directory.`)
  await access(ledger, constants.R_OK | constants.W_OK).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return
    throw new KotefError('ledger-unwritable', `${ledger} can't be read and written.`)
  })
}

function unavailable(thrown: unknown): GateFacts {
  const policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
  const why = toKotefError(thrown).message
  return { unavailable: why, intent: null, lostTo: null, policy, opaqueCommands: 'deny', targets: [], seen: new Map() }
}
