import { type Commit, commitsIn } from '../trailers/commits.ts'
import { countCommits, isOnBranch, commitRange } from '../git/commit-graph.ts'
import type { Git } from '../io/git/git.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Commits that were not judged, oldest first, and the number of older ones that are omitted. */
export type UnjudgedCommits = { readonly commits: readonly Commit[]; readonly passedOver: number }

/** The new commits since some tips: those that HEAD reaches and no remote has, and those that were made here. */
export async function findUnjudged(
  { git }: Workspace,
  { head, made, tips }: { head: string; made: readonly string[]; tips: readonly string[] },
): Promise<UnjudgedCommits> {
  const revisions = [head, '--ignore-missing', '--not', ...tips, '--remotes']
  const reached = await git.ask(commitsIn(revisions, { countMax: UNJUDGED_COMMITS_MAX }))
  const isFull = reached.length === UNJUDGED_COMMITS_MAX
  const passedOver = isFull ? (await git.ask(countCommits(revisions))) - UNJUDGED_COMMITS_MAX : 0
  const offHead = await commitsOffHead(git, { reached, made, tips })
  return { commits: [...offHead, ...reached], passedOver }
}

// More commits than this are left to `git push` and to CI.
const UNJUDGED_COMMITS_MAX = 200

// HEAD may have moved since a commit was made, and a remote may have the commit already. A commit on no branch, such as
// the old version of an amended commit, is not part of any history.
async function commitsOffHead(git: Git, known: OffHeadQuery): Promise<readonly Commit[]> {
  const here = new Set(known.reached.map(it => it.oid))
  const others = known.made.filter(it => !here.has(it))
  if (others.length === 0) return []
  const unjudged = await git.tryAsk(commitRange(others, known.tips))
  const left = others.filter(it => unjudged?.commits.has(it))
  const onBranch = await Promise.all(left.map(it => git.tryAsk(isOnBranch(it))))
  const found = left.filter((_, n) => onBranch[n])
  return found.length === 0 ? [] : git.ask(commitsIn(['--no-walk', ...found], { countMax: null }))
}

type OffHeadQuery = {
  readonly reached: readonly Commit[]
  readonly made: readonly string[]
  readonly tips: readonly string[]
}

/** The commits of the first judgement: the newest ones of HEAD, as many as the hooks reported. */
export async function newestCommits({ git }: Workspace, head: string, count: number): Promise<UnjudgedCommits> {
  const countMax = Math.min(count, UNJUDGED_COMMITS_MAX)
  if (countMax <= 0) return { commits: [], passedOver: 0 }
  return { commits: await git.ask(commitsIn([head, '--not', '--remotes'], { countMax })), passedOver: 0 }
}
