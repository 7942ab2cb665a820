import { acceptanceOfOver } from '../handover/run-acceptance.ts'
import { describedFailure } from '../../core/outgoing/described-failure.ts'
import type { SafeText } from '../../core/outgoing/safe-text.ts'
import { printable } from '../../core/base/printable.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { readRegistry } from '../../core/intents/registry.ts'
import { KotefError } from '../../core/base/failure.ts'
import type { CommitFinding } from '../../core/report/verification.ts'
import { trackedPlaces } from '../io/worktree/tracked-places.ts'
import { readRegistryText } from '../io/worktree/head.ts'
import { changeSizes } from './change-sizes.ts'
import type { VerifyRange } from './range.ts'
import { commitAndParents } from '../../core/git/revisions.ts'
import { checkOnTree } from '../checks/run-checks.ts'
import { checkFileFindings } from '../../core/rules/check-files.ts'
import { asCommitFinding } from './judge-range.ts'
import type { ScratchWorkspace } from './scratch-workspace.ts'

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
      const { found, ...ended } = await checkOnTree(workspace, check, { env })
      if (found.status !== 'passed') findings.push(await unmetCheckFinding(workspace, `${id}: ${check.cmd}`, ended))
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
  const changed = commits.flatMap(it => it.changes.map(({ path }) => path))
  const findings: CommitFinding[] = []
  for (const { session, criterion, cmd } of await acceptanceOfOver(workspace, changed)) {
    running(cmd)
    const { found, ...ended } = await checkOnTree(workspace, { cmd }, { env })
    const what = `${printable(session)} ${printable(criterion)}: ${cmd}`
    if (found.status !== 'passed') findings.push(await unmetCheckFinding(workspace, what, ended))
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

// A finding is read by others, so of the output it has the class of the error and its place only.
async function unmetCheckFinding(workspace: ScratchWorkspace, what: string, ended: EndedCheck): Promise<CommitFinding> {
  const { how, tail } = ended
  const said = describedFailure(tail, await trackedPlaces(workspace, tail))
  const message = `${what}: ${how}${said === '' ? '' : `, ${said}`}`
  const hint = 'Run it to see what it prints, and make it pass.'
  const finding = { rule: 'criteria-met', level: 'block', path: null, message, hint } as const
  return { ...finding, commit: null, subject: null }
}

type EndedCheck = { readonly how: SafeText; readonly tail: string }

function wrongWorktreeError({ name, to }: VerifyRange): KotefError {
  return new KotefError(
    'range-unknown',
    `${name}: the worktree is at another commit, so its checks would prove nothing.`,
    {
      hint: `Check it out first: \`git switch --detach ${to}\``,
    },
  )
}
