import type { Commit } from '../trailers/commits.ts'
import type { CommandCheck, Intent } from '../intents/intent.ts'
import { readRegistry } from '../intents/registry.ts'
import { KotefError } from '../findings/failure.ts'
import type { CommitFinding } from '../report/verification.ts'
import { readRegistryText } from '../worktree/head.ts'
import type { VerifyRange } from './verify-range.ts'
import { commitAndParents } from '../git/revisions.ts'
import { checkOnTree } from '../registry/run-checks.ts'
import { checkFileFindings } from '../rules/check-files.ts'
import { asCommitFinding, type ScratchWorkspace } from './judge-range.ts'

type CheckOptions = { readonly env: NodeJS.ProcessEnv; readonly running: (command: string) => void }

/**
 * Runs the checks of each intent that the commits of a range cite. The worktree must be at the end of the range. The
 * checks come from the registry at the start of the range, so the range can't weaken them.
 */
export async function verifyChecks(
  workspace: ScratchWorkspace,
  { range, commits }: { readonly range: VerifyRange; readonly commits: readonly Commit[] },
  { env, running }: CheckOptions,
): Promise<CommitFinding[]> {
  // A pipeline may check out a merge of the range's end into the target branch.
  const here = (await workspace.git.tryAsk(commitAndParents('HEAD'))) ?? []
  if (!here.includes(range.to)) throw wrongWorktreeError(range)
  const cited = new Set(commits.flatMap(it => it.cited))
  const intents = (await intentsAtRangeStart(workspace, range, commits)).filter(it => cited.has(it.id))
  const findings: CommitFinding[] = []
  for (const { id, acceptance_criteria } of intents) {
    for (const check of acceptance_criteria.filter(it => typeof it !== 'string')) {
      running(check.cmd)
      const { found } = await checkOnTree(workspace, check, { env })
      if (found.status !== 'passed') findings.push(unmetCheckFinding(id, check, found.why))
    }
  }
  return findings
}

/** For review: changes of files that the checks of cited intents name, by the registry at the start of the range. */
export async function changedCheckFiles(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  commits: readonly Commit[],
): Promise<CommitFinding[]> {
  const intents = await intentsAtRangeStart(workspace, range, commits)
  return commits.flatMap(it => checkFileFindings(it, intents).map(found => asCommitFinding(found, it)))
}

async function intentsAtRangeStart(
  { blobs }: ScratchWorkspace,
  range: VerifyRange,
  commits: readonly Commit[],
): Promise<readonly Intent[]> {
  const base = range.from ?? commits[0]?.parents[0] ?? range.to
  return readRegistry((await readRegistryText(blobs, base)) ?? '').intents
}

function unmetCheckFinding(id: string, { cmd }: CommandCheck, why: string): CommitFinding {
  const hint = 'Make it pass.'
  const finding = { rule: 'criteria-met', level: 'block', path: null, message: `${id}: ${cmd}: ${why}`, hint } as const
  return { ...finding, commit: null, subject: null }
}

function wrongWorktreeError({ name, to }: VerifyRange): KotefError {
  return new KotefError(
    'range-unknown',
    `${name}: the worktree is at another commit, so its checks would prove nothing.`,
    {
      hint: `Check it out first: \`git switch --detach ${to}\``,
    },
  )
}
