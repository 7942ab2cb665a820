import type { Commit } from '../diff/commits.ts'
import { autoMerge, ownOfMerge, type OwnOfMerge, parseRemerged, pathsBetween, REMERGED } from '../diff/merges.ts'
import type { Git } from '../io/git.ts'

/** Says what a merge adds to its parents; null for what is no merge. */
export type OwnOf = (commit: Commit) => Promise<OwnOfMerge | null>

/** Asks git once for all merges where they are others than its own; most are not, and cost nothing more. */
export async function ownOfMerges(git: Git, commits: readonly Commit[]): Promise<OwnOf> {
  const merges = commits.filter(it => it.parents.length === 2 && it.changes.length > 0)
  const remerged = merges.length > 0 ? await remergedBy(git, merges) : new Map<string, string[]>()
  return async commit => {
    if (commit.parents.length < 2) return null
    const edited = new Set(remerged?.get(commit.oid))
    const isGits = remerged !== null && commit.parents.length === 2 && !commit.changes.some(it => edited.has(it.path))
    return isGits || commit.changes.length === 0 ? { changes: [], conflicted: [] } : ownOf(git, commit)
  }
}

async function remergedBy(git: Git, merges: readonly Commit[]): Promise<Map<string, string[]> | null> {
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
