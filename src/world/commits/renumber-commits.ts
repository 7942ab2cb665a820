import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import type { GitQuery } from '../../core/git/query.ts'
import type { Renumbering } from '../../core/intents/renumber-yaml.ts'
import { gather } from '../io/git/gather.ts'
import { plural, printable, shellQuoted } from '../../core/base/printable.ts'
import { citingCommits, type CitingCommit } from '../../core/git/trailers/autosquash.ts'
import { renumberedCommit } from '../../core/git/trailers/renumber-commit.ts'
import { writeCommit } from '../io/git/write-commit.ts'
import { defaultBranchesOf, isDefaultBranch } from '../io/worktree/default-branch.ts'
import { currentBranch } from '../intents/sessions/branch-intent.ts'
import { readHead } from '../io/worktree/head.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { advanceJudgedTips, readJudgedTips } from './hook-queue.ts'
import { tryJudgeNewCommits } from './judge-new-commits.ts'
import { withLock } from '../io/files/lock.ts'
import { commitsInProgress, isMerging, isRebasing } from '../../core/git/git-operation.ts'

/** The commits to make again for another id: those that cite it, and those after them. */
export type RenumberPlan = {
  readonly head: string
  readonly citing: ReadonlySet<string>
  /** Parents before children. */
  readonly commits: readonly ListedCommit[]
  /** The command that replaces them where this branch was pushed; null where none of them was. */
  readonly push: string | null
}

type ListedCommit = { readonly oid: string; readonly parents: readonly string[] }

/**
 * Finds the commits that cite an intent: those of a range, or all of this branch. A branch that was pushed may be made
 * again, but for the default one. Throws where another branch of a remote has one of them, or git is in the middle of
 * something. Null on an unborn branch.
 */
export async function planRenumber(
  workspace: Workspace,
  { from }: Pick<Renumbering, 'from'>,
  range: string | null,
): Promise<RenumberPlan | null> {
  await refuseDuringOperation(workspace)
  const head = await readHead(workspace)
  if (head === null) return null
  if (range !== null) await refuseUnknownRange(workspace, range)
  const branch = await ownBranch(workspace)
  const own = await workspace.git.ask(commitsWithParents(['HEAD', '--not', ...otherRemoteBranches(branch)]))
  const found = await workspace.git.ask(citingCommits(grepped(from, range ?? 'HEAD'), COMMITS_MAX))
  const citing = found.filter(it => it.cited.includes(from))
  const isOwn = new Set(own.map(it => it.oid))
  const fixed = citing.filter(it => !isOwn.has(it.oid))
  if (fixed.length > 0) throw fixedCommits(from, fixed, range)
  const again = new Set(citing.map(it => it.oid))
  for (const { oid, parents } of own) if (parents.some(it => again.has(it))) again.add(oid)
  const commits = own.filter(it => again.has(it.oid))
  const push = branch === null ? null : await pushCommand(workspace, branch, again)
  return { head, citing: new Set(citing.map(it => it.oid)), commits, push }
}

/** The branch whose pushed commits may be made again: not the default one, which others build on. */
async function ownBranch(workspace: Workspace): Promise<string | null> {
  const branch = await gather(workspace, currentBranch(workspace))
  const isDefault = branch !== null && isDefaultBranch(branch, await defaultBranchesOf(workspace.git, null))
  return isDefault ? null : branch
}

function otherRemoteBranches(branch: string | null): string[] {
  return [...(branch === null ? [] : [`--exclude=*/${shortName(branch)}`]), '--remotes']
}

function shortName(branch: string): string {
  return branch.replace(/^refs\/heads\//, '')
}

async function pushCommand({ git }: Workspace, branch: string, again: ReadonlySet<string>): Promise<string | null> {
  const [first] = again
  if (first === undefined) return null
  const pushed = await git.ask(remoteBranchesWith(first, shortName(branch)))
  const [remote] = pushed
  return remote === undefined
    ? null
    : `git push --force-with-lease ${shellQuoted(remote)} ${shellQuoted(shortName(branch))}`
}

/** The remotes on which a branch of this name has a commit. */
function remoteBranchesWith(commit: string, name: string): GitQuery<string[]> {
  const args = ['for-each-ref', '--format=%(refname)', `--contains=${commit}`, `refs/remotes/*/${name}`]
  const parse = (out: string) => out.split('\n').slice(0, -1)
  return { args, parse: out => parse(out).map(it => it.slice('refs/remotes/'.length, -name.length - 1)) }
}

const COMMITS_MAX = 1_000_000

async function refuseUnknownRange({ git }: Workspace, range: string): Promise<void> {
  const isKnown = !range.startsWith('-') && (await git.tryAsk(commitsWithParents(['--max-count=1', range]))) !== null
  if (!isKnown) throw new KotefError('usage', `${printable(range)} is not a range of commits.`)
}

function grepped(id: string, revisions: string): string[] {
  return ['--fixed-strings', `--grep=${id}`, revisions]
}

function commitsWithParents(revisions: readonly string[]): GitQuery<ListedCommit[]> {
  const parse = (out: string) =>
    out.split('\n').flatMap(line => {
      const [oid, ...parents] = line.split(' ')
      return oid ? [{ oid, parents }] : []
    })
  return { args: ['rev-list', '--topo-order', '--reverse', '--parents', ...revisions, '--'], parse }
}

async function refuseDuringOperation(workspace: Workspace): Promise<void> {
  const isBusy =
    (await gather(workspace, isRebasing(workspace))) ||
    (await gather(workspace, isMerging(workspace))) ||
    (await gather(workspace, commitsInProgress(workspace))).length > 0
  if (!isBusy) return
  throw new KotefError('usage', 'Git is in the middle of a merge, a rebase, a pick or a revert.', {
    hint: 'End it or abort it, and renumber the intent on its own branch: `git status` says how.',
  })
}

function fixedCommits(id: string, [first, ...more]: readonly CitingCommit[], range: string | null): KotefError {
  const { oid = '', subject = '' } = first ?? {}
  const others = more.length === 0 ? '' : `, and ${plural(more.length, 'more commit')}`
  const elsewhere = 'on another branch of a remote, or on its default branch'
  const where = range === null ? elsewhere : `${elsewhere}, or not on this branch`
  const message = `${oid.slice(0, 10)} (${printable(subject)}) cites ${id} and is ${where}${others}.`
  return new KotefError('usage', message, {
    hint:
      'Give the intent of the other branch another id, if that is not pushed. Where both are, change the registry ' +
      `alone: \`kotef intent renumber ${id} --range HEAD..HEAD --commit\``,
  })
}

/** The new name of each commit that was made again, by its old one. */
export type RenamedCommits = ReadonlyMap<string, string>

/** Makes the commits of a plan again and moves the branch to them; ORIG_HEAD keeps its old tip. */
export async function renumberCommits(
  workspace: Workspace,
  { head, citing, commits }: RenumberPlan,
  { from, to }: Renumbering,
): Promise<RenamedCommits> {
  const renamed = new Map<string, string>()
  await tryJudgeNewCommits(workspace)
  for (const { oid } of commits) {
    const object = (await workspace.git.bytes(['cat-file', 'commit', oid])).toString('latin1')
    const again = renumberedCommit(object, { from, to, parents: renamed, cites: citing.has(oid) })
    renamed.set(oid, await writeCommit(workspace.git, Buffer.from(again, 'latin1')))
  }
  const tip = renamed.get(head)
  if (tip === undefined) return renamed
  await countAsJudged(workspace, { head, tip })
  await moveHead(workspace, { to: tip, from: head, why: `kotef: renumber ${from} to ${to}` })
  return renamed
}

/** Moves the branch, or a detached HEAD, to another commit, if it still is where it was. */
async function moveHead(
  { git }: Workspace,
  { from, to, why }: { readonly from: string; readonly to: string; readonly why: string },
): Promise<void> {
  await git.ask({ args: ['update-ref', 'ORIG_HEAD', from], parse: () => null })
  await git.ask({ args: ['update-ref', '-m', why, 'HEAD', to, from], parse: () => null })
}

// They were judged under their old names, and what they change is the same.
async function countAsJudged(workspace: Workspace, { head, tip }: { readonly head: string; readonly tip: string }) {
  const lock = join(layoutOf(workspace).shared, 'judged.lock')
  await withLock(lock, async () => {
    const judged = (await readJudgedTips(workspace)) ?? []
    if (judged.includes(head)) await advanceJudgedTips(workspace, [tip], judged)
  })
}
