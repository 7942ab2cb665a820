import { handoverRole, sessionOfPath } from '../handover/agents.ts'
import { isOpen } from '../intents/lifecycle.ts'
import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { homedir } from 'node:os'
import type { Reply } from '../agents/adapter.ts'
import { denialText, warningText } from '../gate/denial.ts'
import { type GateFacts, type GateVerdict, judgeWithFacts, verdictAsEnforced } from '../gate/judge-tool.ts'
import type { Target } from '../agents/tool-targets.ts'
import type { TargetFact } from '../gate/judge-target.ts'
import type { ToolCall } from '../gate/parse-tool-call.ts'
import type { IntentClaim } from '../intents/claim.ts'
import { disk, systemErrorCode } from '../io/files/files.ts'
import { gather } from '../io/git/gather.ts'
import { otherWorktrees } from '../io/git/read-git-dir.ts'
import { type CallLocation, resolveTargets } from './resolve-targets.ts'
import { KotefError, toKotefError } from '../findings/failure.ts'
import { cachedClaimText, claimOn, isClaimOfSession, relativeGitDir } from '../sessions/claim-refs.ts'
import { readKnownVersions } from '../agent-activity/file-versions.ts'
import type { RunEnd } from '../runs/run-state.ts'
import { stoppedEnd } from '../session-runs/run-files.ts'
import { type LightWorktree, loadCallPolicy, sessionSelection } from './governed-worktree.ts'
import { layoutOf, ownPath } from '../worktree/layout.ts'
import { type SettingsFile, whyUngoverned } from '../agents/hook-settings.ts'
import { governanceOff, type Reason } from '../gate/reasons.ts'
import { judgePath } from '../scope/judge-path.ts'
import { policyForAgents } from '../scope/policy.ts'
import type { AgentFreedom } from '../intents/config.ts'

/** Judges a call that `judgeWithoutFacts` left open, of an agent whose working folder is `cwd`. */
export async function judgeInWorktree(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<GateVerdict> {
  const facts = await gateFacts(worktree, call, cwd).catch(unavailableFacts)
  const verdict = await withContract(worktree, call, { facts, verdict: judgeWithFacts(call, facts) })
  const { intent, freedom, targets, policy } = facts
  if (!intent || !verdict.reasons.some(it => MAYBE_FREE.has(it.code))) return verdict
  // Only now, so that a call in scope waits for no git.
  const { withoutFreeLocations } = await import('./free-targets.ts')
  const authority = { intent, judge: judgePath(policyForAgents(policy)) }
  const left = await withoutFreeLocations(worktree, { targets, freedom, authority }).catch(() => targets)
  const judged = judgeWithFacts(call, { ...facts, targets: left })
  if (!left.some(it => it.removes) || !judged.reasons.some(it => it.code === 'scope-violation')) return judged
  const { withoutOwnNewFiles } = await import('./own-new-files.ts')
  const removal = { session: call.session, targets: left, authority: { ...authority, role: facts.role ?? null } }
  const others = await withoutOwnNewFiles(worktree.root, removal).catch(() => left)
  return judgeWithFacts(call, { ...facts, targets: others })
}

type Judged = { readonly facts: CallFacts; readonly verdict: GateVerdict }

// What a call writes into a session of the handover is checked before it is there.
async function withContract(worktree: LightWorktree, call: ToolCall, { facts, verdict }: Judged): Promise<GateVerdict> {
  const isSession = (it: TargetFact) => it.locations.some(at => at.kind === 'inside' && sessionOfPath(at.path))
  if (verdict.kind !== 'allow' || call.class !== 'write' || !facts.targets.some(isSession)) return verdict
  const { sessionWriteReasons } = await import('./judge-session-write.ts')
  const reasons = await sessionWriteReasons(worktree.root, call, facts)
  return reasons.length === 0 ? verdict : verdictAsEnforced({ kind: 'deny', reasons }, facts.policy)
}

const MAYBE_FREE: ReadonlySet<Reason['code']> = new Set(['path-outside', 'scope-violation'])

/** The reply for a verdict. */
export function replyToVerdict({ kind, reasons }: GateVerdict): Reply {
  if (kind !== 'allow') return { kind, text: denialText(reasons) }
  // An opaque command is judged by what it wrote, so it needs no warning.
  const warned = reasons.filter(it => it.code !== 'opaque-command')
  return warned.length === 0 ? { kind: 'silence' } : { kind: 'context', text: warningText(warned) }
}

type CallFacts = GateFacts & { readonly freedom: AgentFreedom }

async function gateFacts(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<CallFacts> {
  const knownOids = await readKnownVersions(worktree, call.session)
  const [{ policy, opaqueCommands, claims, freedom }, targets, runEnd] = await Promise.all([
    loadCallPolicy(worktree),
    targetFacts(worktree, call.targets, { cwd, comparedPaths: knownOids }),
    runStop(worktree, call.session).catch(() => null),
    refuseUnrecordable(worktree),
  ])
  const { intent, session } = await sessionSelection(worktree, call.session, policy)
  const role = handoverRole(session?.handover)
  const claim = intent && isOpen(intent.status) ? await readCurrentClaim(worktree, intent.id) : null
  const otherHolder = claims === 'deny' && claim ? otherHolderOf(worktree, claim, call.session) : null
  return { unavailable: null, intent, otherHolder, policy, opaqueCommands, targets, knownOids, freedom, runEnd, role }
}

// A run that is stopped is brought up to date first: that takes longer than judging, and is seldom needed.
async function runStop(worktree: LightWorktree, session: string): Promise<RunEnd | null> {
  const end = await stoppedEnd(worktree, session)
  return end && (await import('./session-run.ts')).stopNow(worktree, session)
}

// git reads a claim once: its text is kept, because starting git for each tool call takes longer than the judgement.
async function readCurrentClaim(worktree: LightWorktree, intent: string): Promise<IntentClaim | null> {
  const path = ownPath(worktree, 'claims-read', intent)
  const cached = (await worktree.files.read(path).catch(() => null))?.toString('utf8') ?? null
  const stored = await gather(worktree, claimOn(worktree, intent, cached))
  if (!stored) return null
  const text = cachedClaimText(stored)
  if (text !== cached) await worktree.files.put(path, text).catch(() => {})
  return stored.claim
}

// An agent in the worktree of the person who holds the intent works for that person.
function otherHolderOf(worktree: LightWorktree, claim: IntentClaim, session: string): string | null {
  const isShared = claim.agent === null && claim.gitDir === relativeGitDir(worktree)
  if (isShared || isClaimOfSession(worktree, claim, session)) return null
  return `${claim.agent ?? 'a person'} (session ${claim.session})`
}

/** Where targets really are, and their current content (of `comparedPaths` only, when given). */
export async function targetFacts(
  worktree: LightWorktree,
  targets: readonly Target[],
  from: Pick<CallLocation, 'cwd' | 'comparedPaths'>,
): Promise<TargetFact[]> {
  if (targets.length === 0) return []
  return resolveTargets({ ...worktree, others: await otherWorktrees(worktree), ...from }, targets)
}

// A write that can't be recorded must not happen.
async function refuseUnrecordable({ root, gitDir, commonDir }: LightWorktree): Promise<void> {
  const folder = join(root, '.orchestration')
  const { ledger, keptLedger } = layoutOf({ root, gitDir, commonDir })
  const [above, found] = await Promise.all([folder, ledger].map(it => lstat(it).catch(() => null)))
  if (above && !above.isDirectory()) throw new KotefError('disk-failed', `${folder} is not a directory.`)
  if (found?.isDirectory()) throw new KotefError('ledger-unwritable', `${ledger} is a directory.`)
  await Promise.all([ledger, keptLedger].map(refuseUnwritable))
}

async function refuseUnwritable(path: string): Promise<void> {
  await access(path, constants.R_OK | constants.W_OK).catch((thrown: unknown) => {
    if (systemErrorCode(thrown) === 'ENOENT') return
    throw new KotefError('ledger-unwritable', `${path} can't be read and written.`)
  })
}

function unavailableFacts(thrown: unknown): CallFacts {
  const policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
  const why = toKotefError(thrown).message
  return {
    unavailable: why,
    intent: null,
    otherHolder: null,
    runEnd: null,
    policy,
    opaqueCommands: 'deny',
    targets: [],
    knownOids: new Map(),
    freedom: { temporary: 'deny', ignored: 'deny' },
  }
}

/** A change of an agent's own settings; `path` is null when the payload names no file. */
type SettingsChange = { readonly agent: string; readonly path: string | null; readonly cwd: string }

/** Denies a change of settings, already on disk, after which the agent would no longer run kotef's hook. */
export async function judgeSettings(worktree: LightWorktree, { agent, path, cwd }: SettingsChange): Promise<Reply> {
  if (path === null) return settingsDenial('the hook does not say which settings change')
  // Other files in the folder of settings, such as skills, can't switch a hook off.
  if (!basename(path).endsWith('.json')) return { kind: 'silence' }
  const own = agent === 'claude' ? claudeSettingsPaths(worktree) : []
  const paths = [...new Set([resolve(cwd, path), ...own])]
  const files = await Promise.all(paths.map(readSettings)).catch((thrown: unknown) => toKotefError(thrown).message)
  if (typeof files === 'string') return settingsDenial(files)
  const why = whyUngoverned({ agent, files, isPlugin: process.env['CLAUDE_PLUGIN_ROOT'] !== undefined })
  return why === null ? { kind: 'silence' } : settingsDenial(why)
}

function claudeSettingsPaths({ root }: LightWorktree): string[] {
  const home = process.env['CLAUDE_CONFIG_DIR'] || join(homedir(), '.claude')
  const names = ['.claude/settings.json', '.claude/settings.local.json'].map(it => join(root, it))
  return [...names, join(home, 'settings.json')]
}

async function readSettings(path: string): Promise<SettingsFile> {
  return { name: path, text: (await disk.read(path))?.toString('utf8') ?? null }
}

function settingsDenial(why: string): Reply {
  return { kind: 'deny', text: denialText([governanceOff(why)]) }
}
