import type { Finding } from '../../core/base/finding.ts'
import { isOpen } from '../../core/intents/lifecycle.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import type { Intent } from '../../core/intents/intent.ts'
import { autoMerge } from '../../core/git/merges.ts'
import type { GitQuery } from '../../core/git/query.ts'
import { isAncestor, mergeBase } from '../../core/git/revisions.ts'
import { POLICY_ENTRIES, POLICY_FILES } from '../../core/base/governance-files.ts'
import type { JudgedCommit } from '../commits/judge-commits.ts'
import { clashingIds } from '../../core/rules/merged-registry.ts'
import { policyFlaw, policyFlawFinding } from '../../core/rules/policy-flaw.ts'
import { clashFinding, closedMeanwhile } from '../../core/rules/range-rules.ts'
import { readPolicyTexts, readRegistryText } from '../io/worktree/head.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import type { VerifyRange } from './range.ts'

/** A target branch that has commits which the range lacks, and where the two parted. */
export type Landing = { readonly base: string; readonly target: string; readonly to: string }

/** Where a range is to land; null when its target has nothing new, or is unknown. */
export async function landingOf({ git }: ScratchWorkspace, { target, to }: VerifyRange): Promise<Landing | null> {
  if (target === null || (await git.tryAsk(isAncestor(target, to)))) return null
  const base = await git.tryAsk(mergeBase(target, to))
  return base === null ? null : { base, target, to }
}

/** What would be wrong once a range is merged into its target, though the range alone is fine. */
export async function landingFindings(
  workspace: ScratchWorkspace,
  landing: Landing,
  judged: readonly JudgedCommit[],
): Promise<Finding[]> {
  const intentsAt = async (commit: string) =>
    readRegistry((await readRegistryText(workspace.blobs, commit)) ?? '').intents
  const base = await intentsAt(landing.base)
  const target = await intentsAt(landing.target)
  const to = await intentsAt(landing.to)
  const closed = citedAndClosed(judged, target, to)
  const since = closed.length === 0 ? null : await lastPolicyChange(workspace, landing)
  return [
    ...clashingIds({ base, sides: [target, to] }).map(it => clashFinding(it)),
    ...closed.map(it => closedMeanwhile(it, since)),
    ...(await unreadableMerge(workspace, landing)),
  ]
}

function citedAndClosed(judged: readonly JudgedCommit[], target: readonly Intent[], to: readonly Intent[]): Intent[] {
  const cited = new Set(judged.flatMap(it => it.commit.cited))
  const open = new Set(to.filter(it => isOpen(it.status)).map(it => it.id))
  return target.filter(it => cited.has(it.id) && open.has(it.id) && !isOpen(it.status))
}

async function lastPolicyChange({ git }: ScratchWorkspace, landing: Landing): Promise<string | null> {
  return (await git.ask(policyChanges(landing))).at(-1) ?? null
}

/** The commits of the target since the range left it that change the policy, oldest first. */
export function policyChanges({ base, target }: Landing): GitQuery<string[]> {
  return {
    args: ['rev-list', '--reverse', target, '--not', base, '--', ...POLICY_ENTRIES],
    parse: out => out.split('\n').slice(0, -1),
  }
}

// Git before 2.38 merges nothing without a worktree; then the merge itself is judged, once it is there.
async function unreadableMerge({ git, blobs }: ScratchWorkspace, { target, to }: Landing): Promise<Finding[]> {
  const merge = await git.tryAsk(autoMerge(target, to))
  if (!merge) return []
  const findings: Finding[] = []
  const [merged = [], ...others] = await Promise.all([merge.tree, target, to].map(it => readPolicyTexts(blobs, it)))
  for (const [n, path] of POLICY_FILES.entries()) {
    const text = merge.conflicted.includes(path) ? null : merged[n]
    const sides = others.map(it => it[n])
    const flaw = text == null || sides.includes(text) ? null : policyFlaw(path, text)
    if (flaw !== null) findings.push(policyFlawFinding(path, `${flaw}, once this is merged`, null))
  }
  return findings
}
