import type { Commit } from '../../core/git/trailers/commits.ts'
import { readConfig } from '../../core/intents/config.ts'
import { CONFIG_PATH } from '../../core/base/governance-files.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { allowedAtTarget } from '../../core/rules/range-rules.ts'
import { withoutBotFindings } from '../../core/rules/bots.ts'
import { policyLookup } from '../commits/base-policy.ts'
import { judgeCommits } from '../commits/judge-commits.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'
import { type Landing, policyChanges } from './landing.ts'

/** The findings of a commit; each that the target's newer policy does not have says since when, and how to get it. */
export async function withTargetPolicy(
  workspace: ScratchWorkspace,
  { commit, findings }: { readonly commit: Commit; readonly findings: readonly CommitFinding[] },
  landing: Landing,
): Promise<readonly CommitFinding[]> {
  if (!findings.some(it => it.level === 'block')) return findings
  const newer = (await workspace.git.ask(policyChanges(landing))).slice(-POLICIES_MAX)
  const refused: string[][] = []
  for (const policyCommit of newer) refused.push(await blockedUnder(workspace, commit, policyCommit))
  const sinceOf = (it: CommitFinding) => newer[refused.findIndex(keys => !keys.includes(keyOf(it)))]
  return findings.map(it => {
    const isLast = !refused.at(-1)?.includes(keyOf(it))
    const since = it.level === 'block' && isLast ? sinceOf(it) : undefined
    return since === undefined ? it : { ...it, ...allowedAtTarget(it, since, landing.target) }
  })
}

// Each costs a judgement, and what an older policy allowed is seldom asked.
const POLICIES_MAX = 10

async function blockedUnder(workspace: ScratchWorkspace, commit: Commit, policyCommit: string): Promise<string[]> {
  const lookup = policyLookup(workspace.blobs)
  const basePolicies = { blobs: workspace.blobs, policyAt: () => lookup(policyCommit), basePolicyOf: () => null }
  const [judged] = await judgeCommits(workspace, [commit], { rewrites: new Map(), basePolicies })
  const { config } = readConfig(await readBlobText(workspace.blobs, `${policyCommit}:${CONFIG_PATH}`))
  const found = withoutBotFindings(judged?.findings ?? [], commit, config.bots)
  return found.filter(it => it.level === 'block').map(keyOf)
}

// Under another policy a path, or a message, may break another rule.
function keyOf({ path }: Pick<CommitFinding, 'path'>): string {
  return path ?? ''
}
