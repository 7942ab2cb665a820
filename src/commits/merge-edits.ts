import type { Commit } from '../trailers/commits.ts'
import {
  autoMerge,
  mergeAdditions,
  type MergeAdditions,
  parseRemergeDiff,
  changedPaths,
  REMERGE_DIFF,
} from '../git/merges.ts'
import type { PathChange } from '../git/changes.ts'
import type { Git } from '../io/git/git.ts'

/** What a merge adds to its parents; and where it takes one of them though git would have made something else. */
export type MergeEdits = MergeAdditions & { readonly oneSided: readonly PathChange[] }

/** Says that of a merge; null for what is no merge. */
export type MergeEditsLookup = (commit: Commit) => Promise<MergeEdits | null>

/** Asks git once for all merges where they are others than its own; most are not, and cost nothing more. */
export async function mergeEditsLookup(git: Git, commits: readonly Commit[]): Promise<MergeEditsLookup> {
  const merges = commits.filter(it => it.parents.length === 2)
  const remerged = merges.length > 0 ? await readRemergeDiffs(git, merges) : null
  return async commit => {
    if (commit.parents.length < 2) return null
    const edited = remerged?.get(commit.oid) ?? []
    const paths = new Set(commit.changes.map(it => it.path))
    const oneSided = edited.filter(it => !paths.has(it.path))
    const isGits = remerged !== null && commit.parents.length === 2 && edited.length === 0
    return isGits || paths.size + oneSided.length === 0
      ? NO_EDITS
      : { ...(await readMergeEdits(git, commit)), oneSided }
  }
}

const NO_EDITS: MergeEdits = { changes: [], conflicted: [], oneSided: [] }

async function readRemergeDiffs(git: Git, merges: readonly Commit[]): Promise<Map<string, PathChange[]> | null> {
  const input = merges.map(it => `${it.oid}\n`).join('')
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of git.streamWithInput(REMERGE_DIFF, { input })) chunks.push(chunk)
    return parseRemergeDiff(Buffer.concat(chunks).toString('utf8'))
  }
  // An older git does not know the question.
  return read().catch(() => null)
}

async function readMergeEdits(git: Git, { oid, parents, changes }: Commit): Promise<MergeAdditions> {
  const [ours = '', theirs = '', ...more] = parents
  const merge = more.length === 0 ? await git.tryAsk(autoMerge(ours, theirs)) : null
  if (merge) return mergeAdditions(changes, { ...merge, edited: await git.ask(changedPaths(merge.tree, oid)) })
  // Where the sides agree there was nothing to put together.
  const apart = await Promise.all([theirs, ...more].map(it => git.ask(changedPaths(ours, it))))
  return mergeAdditions(changes, { conflicted: apart.flat(), edited: null })
}
