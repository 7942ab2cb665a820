import { verificationsOf } from '../handover/acceptance-file.ts'
import { sessionOfPath } from '../handover/agents.ts'
import { STATUS_FILE } from '../handover/status-file.ts'
import { readSessionHere } from '../handover-sessions/session-folder.ts'
import { printable } from '../text/printable.ts'
import type { Commit } from '../trailers/commits.ts'
import type { CommandCheck } from '../intents/intent.ts'
import { readRegistry } from '../intents/registry.ts'
import { KotefError } from '../findings/failure.ts'
import type { CommitFinding } from '../report/verification.ts'
import { readRegistryText } from '../worktree/head.ts'
import { changeSizes } from './change-sizes.ts'
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
  const intents = (await rangeStart(workspace, range, commits)).intents.filter(it => cited.has(it.id))
  const findings: CommitFinding[] = []
  for (const { id, acceptance_criteria } of intents) {
    for (const check of acceptance_criteria.filter(it => typeof it !== 'string')) {
      running(check.cmd)
      const { found } = await checkOnTree(workspace, check, { env })
      if (found.status !== 'passed') findings.push(unmetCheckFinding(id, check, found.why))
    }
  }
  return [...findings, ...(await sessionFindings(workspace, commits, { env, running }))]
}

// A session that is over by the range says that its commands passed: they run here, whatever it says.
async function sessionFindings(
  workspace: ScratchWorkspace,
  commits: readonly Commit[],
  { env, running }: CheckOptions,
): Promise<CommitFinding[]> {
  const places = commits.flatMap(it => it.changes.map(({ path }) => sessionOfPath(path)))
  const names = new Set(places.flatMap(it => (it?.file === STATUS_FILE ? [it.session] : [])))
  const findings: CommitFinding[] = []
  for (const name of names) {
    const { status, acceptance } = await readSessionHere(workspace, name)
    if (status?.current_state !== 'DONE') continue
    for (const criterion of acceptance?.acceptance_criteria ?? []) {
      for (const cmd of verificationsOf(criterion).commands) {
        running(cmd)
        const { found } = await checkOnTree(workspace, { cmd }, { env })
        const what = `${printable(name)} ${printable(criterion.id)}`
        if (found.status !== 'passed') findings.push(unmetCheckFinding(what, { cmd }, found.why))
      }
    }
  }
  return findings
}

/** For review: what a range does to checks and sizes that its own start asks for. */
export async function contractFindings(
  workspace: ScratchWorkspace,
  range: VerifyRange,
  commits: readonly Commit[],
): Promise<CommitFinding[]> {
  const { commit, intents } = await rangeStart(workspace, range, commits)
  const checks = commits.flatMap(it => checkFileFindings(it, intents).map(found => asCommitFinding(found, it)))
  return [...checks, ...(await changeSizes(workspace, { commit, intents }, commits))]
}

async function rangeStart({ blobs }: ScratchWorkspace, range: VerifyRange, commits: readonly Commit[]) {
  const commit = range.from ?? commits[0]?.parents[0] ?? range.to
  return { commit, intents: readRegistry((await readRegistryText(blobs, commit)) ?? '').intents }
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
