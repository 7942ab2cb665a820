import { openScratchGit } from '../io/git/scratch-git.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import type { Verification } from '../../core/report/verification.ts'
import { ciRange } from './ci-range.ts'
import { ledgerFindings, type LedgerReport } from './ledger-findings.ts'
import { parseVerifyRange, readPush } from './verify-range.ts'
import type { VerifyRange } from './range.ts'
import type { JudgeRangeOptions } from './judge-range.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import { judgeHandoverChanges } from '../handover/judge-changes.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'
import { verifyRanges } from './verify-ranges.ts'
import { verifyChecks } from './verify-checks.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { gatherRoleFacts } from '../commits/role-facts.ts'
import { gatherTakenBack, recentHistory } from '../commits/taken-back.ts'
import { gatherGitFacts } from '../commits/git-facts.ts'
import { headOid } from '../../core/git/revisions.ts'
import { agentNames, sessionIntents } from '../../core/intents/session.ts'
import { gather } from '../io/git/gather.ts'
import { loadPolicy } from '../intents/policy/load-policy.ts'
import { lessonsFactOf } from '../lessons/lessons-change.ts'
import { onlyTransitionsIn } from '../intents/registry/transitions-only.ts'
import { withBrought } from '../../core/rules/brought-changes.ts'
import type { StagedFacts } from '../../core/rules/commit-facts.ts'
import { judgeStaged } from '../../core/rules/judge-staged.ts'
import { applyRules } from '../../core/rules/apply-rules.ts'
import { refactorsKeepBehaviour } from '../../core/rules/refactor-only.ts'
import { refactorClasses } from '../commits/refactor-classes.ts'
import { openChangeClassifier } from '../code/meaning/change-classes.ts'
import type { Finding } from '../../core/base/finding.ts'
import { liveSessions } from '../intents/sessions/live-sessions.ts'

/** The commits or changes to verify. */
export type VerifyMode =
  RangeMode | { readonly way: 'staged' } | { readonly way: 'pre-receive'; readonly lines: string }

type RangeMode = { readonly way: 'range'; readonly range: string | null } | { readonly way: 'ci' }

export type VerifyRequest = {
  readonly way: VerifyMode
  readonly env: NodeJS.ProcessEnv
  readonly allowEmpty: boolean
  readonly isEach: boolean
  readonly requireTrace: boolean
  readonly runChecks: boolean
  readonly onlyRefactors?: boolean
  /** Called before each check runs. */
  readonly running: (command: string) => void
}

/** A request to verify one range of commits. */
export type RangeRequest = Omit<VerifyRequest, 'way'> & {
  readonly way: RangeMode
  /** What the caller knows of the ledger; by default, all of it is read. */
  readonly ledger?: LedgerReport
}

/** A verified range with the commit at its end, and the commits that were judged. */
export type VerifiedRange = Verification & { readonly to: string; readonly commits: readonly Commit[] }

/** Verifies commits or changes with the facts of this repository; a range in a worktree also with its ledger. */
export async function runVerify(workspace: Workspace, request: VerifyRequest): Promise<Verification> {
  const { way } = request
  await using scratch = await openScratchGit(workspace, request.env)
  const scratchWorkspace = { ...workspace, git: scratch.git, blobs: scratch.blobs }
  switch (way.way) {
    case 'pre-receive':
      return await verifyPush(scratchWorkspace, way.lines, request)
    case 'staged':
      return await verifyStaged(scratchWorkspace, request)
    case 'ci':
    case 'range': {
      const { ranges, findings } = await verifyRangeMode(scratchWorkspace, { ...request, way })
      return { ranges, findings }
    }
  }
}

/** As `runVerify`, of one range, and with its commits. */
export async function verifyOneRange(workspace: Workspace, request: RangeRequest): Promise<VerifiedRange> {
  await using scratch = await openScratchGit(workspace, request.env)
  return await verifyRangeMode({ ...workspace, git: scratch.git, blobs: scratch.blobs }, request)
}

async function verifyRangeMode(workspace: ScratchWorkspace, request: RangeRequest): Promise<VerifiedRange> {
  const { way, env } = request
  if (way.way === 'range') return verifyLocalRange(workspace, await parseVerifyRange(workspace, way.range), request)
  // A new branch, or a pipeline that is run again, can be without a new commit.
  const ofPipeline = { ...request, allowEmpty: true, ...NO_LEDGER }
  return verifySingleRange(workspace, await ciRange(workspace, env), ofPipeline)
}

// A server and a pipeline know neither who wrote something nor what a person approved.
const NO_LEDGER = { approvals: [], ledgerEnd: null }

async function verifyPush(workspace: ScratchWorkspace, lines: string, request: VerifyRequest): Promise<Verification> {
  const { ranges, findings } = await readPush(workspace, lines)
  // A new branch can consist of commits that other branches have.
  const verified = await verifyRanges(workspace, ranges, { ...request, allowEmpty: true, ...NO_LEDGER })
  return { ranges: verified.ranges, findings: [...findings, ...verified.findings] }
}

async function verifyLocalRange(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  request: RangeRequest,
): Promise<VerifiedRange> {
  const { records, findings, approvals } = request.ledger ?? (await ledgerFindings(workspace))
  const ledgerEnd = records === 0 ? null : await gather(workspace, readLedgerEnd(workspace))
  const verified = await verifySingleRange(workspace, range, { ...request, approvals, ledgerEnd })
  return withLedgerFindings(verified, findings)
}

/** A verification with the findings in a ledger, which are about no commit. */
export function withLedgerFindings<T extends Verification>(verification: T, findings: readonly Finding[]): T {
  const ofLedger = findings.map(it => ({ ...it, commit: null, subject: null }))
  return { ...verification, findings: [...verification.findings, ...ofLedger] }
}

async function verifySingleRange(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  request: RangeRequest & Pick<JudgeRangeOptions, 'approvals' | 'ledgerEnd'>,
): Promise<VerifiedRange> {
  const { commits, ranges, findings } = await verifyRanges(workspace, [range], request)
  const checks = request.runChecks ? await verifyChecks(workspace, { range, commits }, request) : []
  return { ranges, findings: [...findings, ...checks], commits, to: range.to }
}

/** Judges the staged changes, as pre-commit does. */
async function verifyStaged(
  workspace: ScratchWorkspace,
  { allowEmpty, onlyRefactors }: Pick<VerifyRequest, 'allowEmpty' | 'onlyRefactors'>,
): Promise<Verification> {
  const head = await workspace.git.tryAsk(headOid)
  const facts = await stagedFactsForVerify(workspace)
  if (facts.changes.length === 0 && !allowEmpty)
    throw new KotefError('range-empty', 'Nothing is staged.', {
      hint: 'Stage a change with `git add`, or allow none: `kotef verify --staged --allow-empty`',
    })
  const refactors = onlyRefactors ? await stagedRefactorFindings(workspace, facts) : []
  const findings = [...judgeStaged(facts), ...refactors].map(it => ({ ...it, commit: null, subject: null }))
  return { ranges: [{ name: 'index', from: head, to: null, commits: 0, passedOver: 0, remark: null }], findings }
}

// Which intent it is for, only the message will say, so that every path counts.
async function stagedRefactorFindings({ blobs }: ScratchWorkspace, staged: StagedFacts): Promise<Finding[]> {
  using classifier = openChangeClassifier(blobs)
  const facts = { ...staged, cited: [], misplaced: [], governance: null, retry: null, onlyRefactors: true }
  const classes = await refactorClasses(facts, [staged.policy], classifier)
  return applyRules({ ...facts, ...classes }, [refactorsKeepBehaviour])
}

async function stagedFactsForVerify(workspace: ScratchWorkspace): Promise<StagedFacts> {
  const policy = await loadPolicy(workspace)
  const { broughtChanges, ...facts } = await gather(
    workspace,
    gatherGitFacts({ gitDir: workspace.gitDir, namedSides: [] }),
  )
  const sessions = await liveSessions(workspace)
  const staged = {
    ...facts,
    policy,
    byAgent: false,
    claimedByOthers: [],
    live: sessionIntents(sessions),
    agents: agentNames(sessions),
    // Only the message shows whether the commit is a governance change, which would need an approval.
    approved: false,
    replaying: false,
    onlyTransitions: await onlyTransitionsIn(workspace.blobs, facts.changes),
    ...(await lessonsFactOf(workspace.blobs, facts.changes)),
    ...(await stagedHandoverFacts(workspace, facts.changes)),
    ...(await gather(workspace, gatherTakenBack(facts, { policies: [policy], history: recentHistory }))),
  }
  return withBrought(staged, broughtChanges)
}

async function stagedHandoverFacts(workspace: ScratchWorkspace, changes: StagedFacts['changes']) {
  const { roleBreaches, taskLines } = await gather(workspace, gatherRoleFacts(workspace, changes))
  const { problems, breaches } = await judgeHandoverChanges({ changes, taskLines }, { ...workspace, revision: '' })
  return { handover: problems, roleBreaches: [...roleBreaches, ...breaches] }
}
