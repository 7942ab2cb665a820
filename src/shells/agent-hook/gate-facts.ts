import { constants } from 'node:fs'
import { access, lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { GateFacts } from '../../core/agents/gate/judge-tool.ts'
import { NOTHING_FREE, type TargetFact } from '../../core/agents/gate/judge-target.ts'
import { packagesAddedBy } from '../../core/agents/gate/forbidden-run.ts'
import type { ToolCall } from '../../core/agents/gate/parse-tool-call.ts'
import type { Target } from '../../core/agents/tool-targets.ts'
import { KotefError, toKotefError } from '../../core/base/failure.ts'
import { handoverRole } from '../../core/handover/port.ts'
import type { IntentClaim } from '../../core/intents/claim.ts'
import { isOpen } from '../../core/intents/lifecycle.ts'
import type { RunEnd } from '../../core/runs/run-state.ts'
import { dependenciesIn, packagesIn } from '../../core/intents/contract/manifests.ts'
import { gatherManifestsWith } from '../../world/commits/known-manifests.ts'
import { disk, systemErrorCode } from '../../world/io/files/files.ts'
import { gather } from '../../world/io/git/gather.ts'
import { otherWorktrees } from '../../world/io/git/read-git-dir.ts'
import { layoutOf, ownPath } from '../../world/io/worktree/layout.ts'
import { cachedClaimText, claimOn, isClaimOfSession, relativeGitDir } from '../../world/intents/sessions/claim-refs.ts'
import { readKnownVersions } from '../../world/recording/agent-activity/file-versions.ts'
import { stoppedEnd } from '../../world/runs/run-files.ts'
import { type LightWorktree, loadCallPolicy, sessionSelection } from './governed-worktree.ts'
import { type CallLocation, resolveTargets } from './resolve-targets.ts'

/** The facts that every judgement of a call needs; what is still to be found is asked for by `judgeWithFacts`. */
export async function gateFacts(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<GateFacts> {
  return readFacts(worktree, call, cwd).catch(unavailableFacts)
}

async function readFacts(worktree: LightWorktree, call: ToolCall, cwd: string): Promise<GateFacts> {
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
  return {
    unavailable: null,
    intent,
    otherHolder,
    runEnd,
    role,
    policy,
    opaqueCommands,
    freedom,
    dependencies: await declaredDependencies(worktree, call, cwd),
    targets,
    knownOids,
    found: {},
  }
}

/** The dependencies that manifests of npm have, on the disk and in HEAD, where a call adds packages. */
async function declaredDependencies(worktree: LightWorktree, { shell }: ToolCall, cwd: string): Promise<Set<string>> {
  const names = packagesAddedBy(shell?.runs ?? [])
  if (!shell || names.length === 0) return new Set()
  const folders = [worktree.root, ...[cwd, ...shell.folders].map(it => resolve(cwd, it))]
  const read = await Promise.all(folders.map(it => disk.read(join(it, 'package.json')).catch(() => null)))
  const declared = new Set(read.flatMap(it => dependenciesIn(it?.toString('utf8') ?? '')))
  if (names.every(it => declared.has(it))) return declared
  const committed = await gather(worktree, gatherManifestsWith(names, 'HEAD'))
  return new Set([...declared, ...committed.flatMap(packagesIn)])
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

function unavailableFacts(thrown: unknown): GateFacts {
  const policy = { intents: [], governance: [], forbidden: [], intentignore: [] }
  const why = toKotefError(thrown).message
  return {
    unavailable: why,
    intent: null,
    otherHolder: null,
    runEnd: null,
    role: null,
    policy,
    opaqueCommands: 'deny',
    dependencies: new Set(),
    targets: [],
    knownOids: new Map(),
    ...NOTHING_FREE,
  }
}
