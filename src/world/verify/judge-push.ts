import type { Finding } from '../../core/base/finding.ts'
import { resolveCommit } from '../../core/git/revisions.ts'
import { openScratchGit } from '../io/git/scratch-git.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { escapeInvisible, printable, shellQuoted } from '../../core/base/printable.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { gather } from '../io/git/gather.ts'
import { readLedgerEnd } from '../ledger/ledger-end.ts'
import { distinctFindings, judgeRange, type JudgeRangeOptions } from './judge-range.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import { inspectLedger } from './inspect-ledger.ts'
import { defaultBranchesOf, isDefaultBranch } from '../io/worktree/default-branch.ts'
import { replacedTip, UNJUDGED_REFS } from './verify-range.ts'
import type { VerifyRange } from './range.ts'

/** A push as git describes it to its hook: the remote's name (or its URL again), and a line for each reference. */
export type Push = { readonly remote: string; readonly url: string; readonly lines: string }

/**
 * Judges the commits of a push that neither the remote's references nor their old values reach, as `kotef verify` in a
 * pipeline judges them.
 */
export async function judgePush(workspace: Workspace, push: Push, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const updates = push.lines.split('\n').flatMap(parsePushedRef)
  if (updates.length === 0) return []
  await using scratch = await openScratchGit(workspace, env)
  const scratchWorkspace = { ...workspace, git: scratch.git, blobs: scratch.blobs }
  const known = await Promise.all(updates.map(it => resolveUpdate(scratchWorkspace, it)))
  const ranges = await pushedRanges(scratchWorkspace, push, known)
  const judge = async (ledger: Pick<JudgeRangeOptions, 'approvals' | 'ledgerEnd'>) => {
    const found: CommitFinding[] = []
    for (const range of ranges) {
      const options = { allowEmpty: true, allowCut: true, ...ledger }
      const { findings, landing } = await judgeRange(scratchWorkspace, range, options)
      // What is pushed need not be merged as it is.
      for (const it of [...findings, ...landing.map(asReview)]) found.push(it)
    }
    return distinctFindings(found)
  }
  const findings = await judge({ approvals: [], ledgerEnd: null })
  const mayBeApproved = findings.some(it => APPROVABLE_RULES.includes(it.rule))
  const final = mayBeApproved ? await judge(await readLedgerFacts(workspace)) : findings
  return [...final.map(withCommitName), ...known.flatMap(it => unknownBase(it, push))]
}

function asReview(finding: CommitFinding): CommitFinding {
  return { ...finding, level: 'review' }
}

const APPROVABLE_RULES = ['governance-changed', 'governance-loosened', 'policy-in-range']

async function readLedgerFacts(workspace: Workspace) {
  const { records, approvals } = await inspectLedger(workspace)
  return { approvals, ledgerEnd: records === 0 ? null : await gather(workspace, readLedgerEnd(workspace)) }
}

type PushedRef = { readonly local: string; readonly remote: string | null; readonly name: string }

// A deleted reference brings no commits; a new one has no old value.
function parsePushedRef(line: string): PushedRef[] {
  const [, local = '', name = '', remote = ''] = line.split(' ')
  return ZERO_OID.test(local) ? [] : [{ local, name, remote: ZERO_OID.test(remote) ? null : remote }]
}

const ZERO_OID = /^0*$/

/** A pushed reference: its new commit, null for another object, and its old one, null if it is not in this clone. */
type KnownRef = PushedRef & { readonly to: string | null; readonly from: string | null }

async function resolveUpdate({ git }: ScratchWorkspace, update: PushedRef): Promise<KnownRef> {
  const from = update.remote === null ? null : await git.tryAsk(resolveCommit(update.remote))
  // Another object than a commit brings no commits; a missing one is a failure of git.
  const type = await git.ask({ args: ['cat-file', '-t', `${update.local}^{}`], parse: out => out.trim() })
  return { ...update, to: type === 'commit' ? await git.ask(resolveCommit(update.local)) : null, from }
}

async function pushedRanges(
  { git }: ScratchWorkspace,
  { remote, url }: Push,
  updates: readonly KnownRef[],
): Promise<VerifyRange[]> {
  const tracked = remote === url ? [] : [`--remotes=${remote}`]
  const without = [...updates.flatMap(it => it.from ?? []), ...tracked]
  const trunk = remote === url ? null : await git.tryAsk(resolveCommit(`refs/remotes/${remote}/HEAD`))
  const known = { without, remark: null, target: trunk, judged: [] }
  const defaults = await defaultBranchesOf(git, remote === url ? null : remote)
  return updates.flatMap(({ name, from, to }) => {
    const isDefault = isDefaultBranch(name, defaults)
    const old = {
      movedFrom: isDefault ? from : null,
      replaces: UNJUDGED_REFS.test(name) ? null : replacedTip(from, isDefault),
    }
    return to === null ? [] : [{ ...known, name, from, base: from ?? trunk, to, ...old }]
  })
}

// Of several commits, each finding names its own.
function withCommitName({ commit, subject, ...finding }: CommitFinding): Finding {
  if (commit === null) return finding
  return { ...finding, message: `${commit.slice(0, 10)} ${escapeInvisible(subject ?? '')}: ${finding.message}` }
}

// A pipeline also has what others pushed, and judges by the policy of that.
function unknownBase({ name, remote: oid, from, to }: KnownRef, { remote }: Push): Finding[] {
  if (oid === null || from !== null || to === null) return []
  const effect = 'CI may add policy-in-range, governance-loosened and policy-readable'
  return [
    {
      rule: 'base-unknown',
      level: 'review',
      path: null,
      message: `${printable(name)} is at ${oid.slice(0, 10)} there, which this clone does not have: ${effect}`,
      hint: `Fetch it, and push again: \`git fetch ${shellQuoted(remote)}\``,
    },
  ]
}
