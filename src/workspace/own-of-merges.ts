import type { Commit } from '../diff/commits.ts'
import { autoMerge, ownOfMerge, type OwnOfMerge, parseRemerged, pathsBetween, REMERGED } from '../diff/merges.ts'
import type { Change } from '../diff/staged.ts'
import type { Git } from '../io/git.ts'

/** What a merge adds to its parents; and where it takes one of them though git would have made something else. */
export type Own = OwnOfMerge & { readonly taken: readonly Change[] }

/** Says that of a merge; null for what is no merge. */
export type OwnOf = (commit: Commit) => Promise<Own | null>

/** Asks git once for all merges where they are others than its own; most are not, and cost nothing more. */
export async function ownOfMerges(git: Git, commits: readonly Commit[]): Promise<OwnOf> {
  const merges = commits.filter(it => it.parents.length === 2)
  const remerged = merges.length > 0 ? await remergedBy(git, merges) : null
  return async commit => {
    if (commit.parents.length < 2) return null
    const edited = remerged?.get(commit.oid) ?? []
    const paths = new Set(commit.changes.map(it => it.path))
    const taken = edited.filter(it => !paths.has(it.path))
    const isGits = remerged !== null && commit.parents.length === 2 && edited.length === 0
    return isGits || paths.size + taken.length === 0 ? NOTHING : { ...(await ownOf(git, commit)), taken }
  }
}

const NOTHING: Own = { changes: [], conflicted: [], taken: [] }

async function remergedBy(git: Git, merges: readonly Commit[]): Promise<Map<string, Change[]> | null> {
  const input = merges.map(it => `${it.oid}\n`).join('')
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of git.piped(REMERGED, { input })) chunks.push(chunk)
    return parseRemerged(Buffer.concat(chunks).toString('utf8'))
  }
  // An older git does not know the question.
  return read().catch(() => null)
}

async function ownOf(git: Git, { oid, parents, changes }: Commit): Promise<OwnOfMerge> {
  const [ours = '', theirs = '', ...more] = parents
  const merge = more.length === 0 ? await git.tryAsk(autoMerge(ours, theirs)) : null
  if (merge) return ownOfMerge(changes, { ...merge, edited: await git.ask(pathsBetween(merge.tree, oid)) })
  // Where the sides agree there was nothing to put together.
  const apart = await Promise.all([theirs, ...more].map(it => git.ask(pathsBetween(ours, it))))
  return ownOfMerge(changes, { conflicted: apart.flat(), edited: null })
}
