import { type Commit, commitsIn } from '../diff/commits.ts'
import { countOf, isOnBranch, stretch } from '../diff/tips.ts'
import type { Git } from '../io/git.ts'
import type { Workspace } from './workspace.ts'

/** Commits that nobody has judged, oldest first, and how many older ones there are besides. */
export type Unjudged = { readonly commits: readonly Commit[]; readonly passedOver: number }

/** What is new since some tips: what HEAD reaches, but for what a remote has, and what was made here. */
export async function unjudgedSince(
  { git }: Workspace,
  { head, made, tips }: { head: string; made: readonly string[]; tips: readonly string[] },
): Promise<Unjudged> {
  const revisions = [head, '--ignore-missing', '--not', ...tips, '--remotes']
  const reached = await git.ask(commitsIn(revisions, { countMax: COMMITS_MAX }))
  const isFull = reached.length === COMMITS_MAX
  const passedOver = isFull ? (await git.ask(countOf(revisions))) - COMMITS_MAX : 0
  const aside = await leftAside(git, { reached, made, tips })
  return { commits: [...aside, ...reached], passedOver }
}

// More than this is a push's or a pipeline's to judge.
const COMMITS_MAX = 200

// HEAD may have gone elsewhere since a commit was made, and a remote may have got it already. What no branch has, such
// as the old form of an amended commit, is not part of any history.
async function leftAside(git: Git, known: Parting): Promise<readonly Commit[]> {
  const here = new Set(known.reached.map(it => it.oid))
  const others = known.made.filter(it => !here.has(it))
  if (others.length === 0) return []
  const unjudged = await git.tryAsk(stretch(others, known.tips))
  const left = others.filter(it => unjudged?.reached.has(it))
  const onBranch = await Promise.all(left.map(it => git.tryAsk(isOnBranch(it))))
  const found = left.filter((_, n) => onBranch[n])
  return found.length === 0 ? [] : git.ask(commitsIn(['--no-walk', ...found], { countMax: null }))
}

type Parting = {
  readonly reached: readonly Commit[]
  readonly made: readonly string[]
  readonly tips: readonly string[]
}

/** The first time only what was told of is judged: the newest commits of HEAD, as many as that. */
export async function newestOf({ git }: Workspace, head: string, count: number): Promise<Unjudged> {
  const countMax = Math.min(count, COMMITS_MAX)
  if (countMax <= 0) return { commits: [], passedOver: 0 }
  return { commits: await git.ask(commitsIn([head, '--not', '--remotes'], { countMax })), passedOver: 0 }
}
