import type { Commit } from '../trailers/commits.ts'
import { type MergeAdditions, parseRemergeDiff, changedPaths, REMERGE_DIFF } from '../git/merges.ts'
import type { PathChange } from '../git/changes.ts'
import { gather } from '../io/git/gather.ts'
import type { Git } from '../io/git/git.ts'
import type { Workspace } from '../worktree/workspace.ts'
import { comparedWithAutoMerge } from './merge-additions.ts'

/** What a merge adds to its parents; and where it takes one of them though git would have made something else. */
export type MergeEdits = MergeAdditions & { readonly oneSided: readonly PathChange[] }

/** Says that of a merge; null for what is no merge. */
export type MergeEditsLookup = (commit: Commit) => Promise<MergeEdits | null>

/** Asks git once for all merges where they are others than its own; most are not, and cost nothing more. */
export async function mergeEditsLookup(
  workspace: Pick<Workspace, 'git' | 'files'>,
  commits: readonly Commit[],
): Promise<MergeEditsLookup> {
  const merges = commits.filter(it => it.parents.length === 2)
  const remerged = merges.length > 0 ? await readRemergeDiffs(workspace.git, merges) : null
  return async commit => {
    if (commit.parents.length < 2) return null
    const edited = remerged?.get(commit.oid) ?? []
    const paths = new Set(commit.changes.map(it => it.path))
    const oneSided = edited.filter(it => !paths.has(it.path))
    const isGits = remerged !== null && commit.parents.length === 2 && edited.length === 0
    if (isGits || paths.size + oneSided.length === 0) return NO_EDITS
    const { oid, parents: sides, changes } = commit
    const merge = { sides, changes, pathsSince: (tree: string) => changedPaths(tree, oid) }
    return { ...(await gather(workspace, comparedWithAutoMerge(merge))), oneSided }
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
