import type { Commit } from '../../core/git/trailers/commits.ts'
import { parseRemergeDiff, changedPaths, REMERGE_DIFF } from '../../core/git/merges.ts'
import type { PathChange } from '../../core/git/changes.ts'
import { gather } from '../io/git/gather.ts'
import type { Git } from '../io/git/git.ts'
import type { Workspace } from '../io/worktree/workspace.ts'
import { type MergeReader, withoutDriverMerges } from './driver-merges.ts'
import { comparedWithAutoMerge } from './git-facts.ts'
import type { MergeEdits } from '../../core/git/merges.ts'

/** Answers the edits of a merge; null for a commit that is not a merge. */
export type MergeEditsLookup = (commit: Commit) => Promise<MergeEdits | null>

/** Asks git once where all merges differ from its own; most don't, and need no further question. */
export async function mergeEditsLookup(
  workspace: Pick<Workspace, 'git' | 'files'> & MergeReader,
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
    const edits = { ...(await gather(workspace, comparedWithAutoMerge(merge))), oneSided }
    return withoutDriverMerges(workspace, commit, edits)
  }
}

const NO_EDITS: MergeEdits = { changes: [], conflicted: [], oneSided: [] }

async function readRemergeDiffs(git: Git, merges: readonly Commit[]): Promise<Map<string, PathChange[]> | null> {
  // Children before parents: git forgets the parents of a commit that it has shown, and with them the merge base of
  // the merges after it. `commits` has parents first.
  const input = merges
    .map(it => `${it.oid}\n`)
    .toReversed()
    .join('')
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of git.streamWithInput(REMERGE_DIFF, { input })) chunks.push(chunk)
    return parseRemergeDiff(Buffer.concat(chunks).toString('utf8'))
  }
  // Git before 2.35 does not know `--remerge-diff`.
  return read().catch(() => null)
}
