import { join } from 'node:path'
import { KotefError } from '../../core/base/failure.ts'
import type { GitQuery } from '../../core/git/query.ts'
import type { Renumbering } from '../../core/intents/renumber-yaml.ts'
import { gather } from '../io/git/gather.ts'
import { plural, printable } from '../../core/base/printable.ts'
import { citingCommits, type CitingCommit } from '../../core/git/trailers/autosquash.ts'
import { renumberedCommit } from '../../core/git/trailers/renumber-commit.ts'
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
}

type ListedCommit = { readonly oid: string; readonly parents: readonly string[] }

/**
 * Finds the commits that cite an intent: those of a range, or all of this branch. Throws where one of them is on a
 * remote, or git is in the middle of something. Null on an unborn branch.
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
  const unpushed = await workspace.git.ask(commitsWithParents(['HEAD', '--not', '--remotes']))
  const found = await workspace.git.ask(citingCommits(grepped(from, range ?? 'HEAD'), COMMITS_MAX))
  const citing = found.filter(it => it.cited.includes(from))
  const own = new Set(unpushed.map(it => it.oid))
  const fixed = citing.filter(it => !own.has(it.oid))
  if (fixed.length > 0) throw fixedCommits(from, fixed, range)
  const again = new Set(citing.map(it => it.oid))
  for (const { oid, parents } of unpushed) if (parents.some(it => again.has(it))) again.add(oid)
  return { head, citing: new Set(citing.map(it => it.oid)), commits: unpushed.filter(it => again.has(it.oid)) }
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
  const where = range === null ? 'on a remote' : 'on a remote, or not on this branch'
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
    renamed.set(oid, await writeCommit(workspace, again))
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

async function writeCommit({ git }: Workspace, object: string): Promise<string> {
  const input = Buffer.from(object, 'latin1')
  let out = ''
  for await (const chunk of git.streamWithInput(['hash-object', '-t', 'commit', '-w', '--stdin'], { input }))
    out += chunk.toString('latin1')
  return out.trim()
}

// They were judged under their old names, and what they change is the same.
async function countAsJudged(workspace: Workspace, { head, tip }: { readonly head: string; readonly tip: string }) {
  const lock = join(layoutOf(workspace).shared, 'judged.lock')
  await withLock(lock, async () => {
    const judged = (await readJudgedTips(workspace)) ?? []
    if (judged.includes(head)) await advanceJudgedTips(workspace, [tip], judged)
  })
}
