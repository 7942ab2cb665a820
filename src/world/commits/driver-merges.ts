import type { PathChange } from '../../core/git/changes.ts'
import { mergeBase } from '../../core/git/revisions.ts'
import { mergeRegistryFile } from '../../core/intents/merge-registry.ts'
import type { Blobs } from '../io/git/blobs.ts'
import type { Git } from '../io/git/git.ts'
import { isRegistryPath } from '../../core/base/governance-files.ts'
import type { Commit } from '../../core/git/trailers/commits.ts'
import { readBlobText } from '../io/worktree/head.ts'
import type { MergeEdits } from '../../core/git/merges.ts'

/** Where the contents of a merge and of its parents are read. */
export type MergeReader = { readonly git: Git; readonly blobs: Blobs }

/**
 * The edits of a merge without those that kotef's merge driver makes of both sides. Git found them because it merged
 * the lines: a server, or a clone without kotef, has no driver.
 */
export async function withoutDriverMerges(
  reader: MergeReader,
  commit: Pick<Commit, 'parents'>,
  edits: MergeEdits,
): Promise<MergeEdits> {
  const made: PathChange[] = []
  for (const it of [...edits.changes, ...edits.oneSided])
    if (isRegistryPath(it.path) && (await isByDriver(reader, commit, it))) made.push(it)
  const others = (changes: readonly PathChange[]) => changes.filter(it => !made.includes(it))
  return made.length === 0 ? edits : { ...edits, changes: others(edits.changes), oneSided: others(edits.oneSided) }
}

async function isByDriver(
  { git, blobs }: MergeReader,
  { parents }: Pick<Commit, 'parents'>,
  { path, after }: PathChange,
): Promise<boolean> {
  const [ours = '', theirs = '', ...more] = parents
  const ancestor = more.length === 0 ? await git.tryAsk(mergeBase(ours, theirs)) : null
  if (ancestor === null || !after) return false
  const [base, one, other] = await Promise.all(
    [ancestor, ours, theirs].map(async it => (await readBlobText(blobs, `${it}:${path}`)) ?? ''),
  )
  const sides = { base: base ?? '', ours: one ?? '', theirs: other ?? '' }
  const merge = mergeRegistryFile(sides, { path, plain: null, markerSize: 7 })
  return merge !== null && merge.conflicts.length === 0 && merge.text === (await readBlobText(blobs, after.oid))
}
