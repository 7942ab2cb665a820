/** A file's content and mode: null where there is no file. */
export type Content = { readonly oid: string; readonly mode: string } | null

export type WriteFacts = {
  readonly known: Content
  readonly disk: Content
  /** `known` is the index's blob, and the index has the same blob still: what git calls clean is unchanged. */
  readonly knownFromIndex: boolean
  /** How git sees the path now: `clean` means the worktree has what the index has. */
  readonly git: 'clean' | 'staged' | 'dirty' | 'untracked' | 'ignored'
  /** Git was at work when the file was written; of a file that is gone, git had it and is to have it no more. */
  readonly bracketed: boolean
  /** Whether git knew the content when the file was written; within a tick of the clock nobody can say (`at-once`). */
  readonly learnt: 'before' | 'at-once' | 'after' | 'never'
  /** Who brought the path to this content: a merge or another move of HEAD (`git`), or a plain commit (`hand`). */
  readonly maker: 'git' | 'hand' | null
  /** A merge, rebase, cherry-pick or revert that is under way took a step just then. */
  readonly stepped: boolean
  /** A stash has the path with this content, or without the file. */
  readonly stashed: boolean
  /** The known content has the marks of a conflict in it. */
  readonly conflicted: boolean
}

/** Whether a change on disk is somebody's write, git's own doing (`sync`), nothing, or none of our business. */
export function judgeWrite(facts: WriteFacts): 'same' | 'sync' | 'write' | 'ignored' {
  const { known, disk, git } = facts
  if (known?.oid === disk?.oid && known?.mode === disk?.mode) return 'same'
  if (git === 'ignored') return 'ignored'
  // A filter (line endings, LFS) makes the bytes on disk differ from the blob of an untouched file.
  if (git === 'clean' && facts.knownFromIndex && disk) return 'same'
  return facts.bracketed && isGits(facts) ? 'sync' : 'write'
}

function isGits(facts: WriteFacts): boolean {
  if (facts.stashed) return true
  // Only a stash brings back what git does not track.
  if (facts.git === 'untracked') return false
  if (facts.learnt === 'before') return true
  if (facts.learnt === 'at-once') return isMerged(facts)
  // A patch that is applied on the way to a commit is in the worktree first.
  return facts.learnt === 'after' && facts.maker === 'git' && !facts.conflicted
}

/** Git made the blob and the file in one breath: a merge does, and so does `git add` of a file just written. */
function isMerged({ git, disk, maker, stepped, conflicted }: WriteFacts): boolean {
  if (maker === 'hand') return false
  if (git === 'dirty') return disk !== null
  if (conflicted) return false
  return maker === 'git' || git === 'clean' || stepped
}
