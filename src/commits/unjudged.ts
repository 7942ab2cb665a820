import { type Commit, commitsIn } from '../trailers/commits.ts'
import { countCommits, isOnBranch, commitRange } from '../git/commit-graph.ts'
import type { Git } from '../io/git/git.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Commits that nobody has judged, oldest first, and how many older ones there are besides. */
export type UnjudgedCommits = { readonly commits: readonly Commit[]; readonly passedOver: number }

/** What is new since some tips: what HEAD reaches, but for what a remote has, and what was made here. */
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

// More than this is a push's or a pipeline's to judge.
const UNJUDGED_COMMITS_MAX = 200

// HEAD may have gone elsewhere since a commit was made, and a remote may have got it already. What no branch has, such
// as the old form of an amended commit, is not part of any history.
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

/** The first time only what was told of is judged: the newest commits of HEAD, as many as that. */
export async function newestCommits({ git }: Workspace, head: string, count: number): Promise<UnjudgedCommits> {
  const countMax = Math.min(count, UNJUDGED_COMMITS_MAX)
  if (countMax <= 0) return { commits: [], passedOver: 0 }
  return { commits: await git.ask(commitsIn([head, '--not', '--remotes'], { countMax })), passedOver: 0 }
}
