/** A file's content and mode: null where there is no file. */
export type Content = { readonly oid: string; readonly mode: string } | null

export type WriteFacts = {
  readonly known: Content
  readonly disk: Content
  /** `known` is the index's blob, and the index has the same blob still: what git calls clean is unchanged. */
  readonly knownFromIndex: boolean
  /** How git sees the path now: `clean` means the worktree has what the index has. */
  readonly git: 'clean' | 'staged' | 'dirty' | 'untracked' | 'ignored'
  /** A merge, rebase, cherry-pick or revert is under way. */
  readonly operation: boolean
  /** The index was rewritten from before the file's time stamp to after it: git may have written the file. */
  readonly bracketed: boolean
  /** Git got to know the change only after it stood on disk: somebody made it and then staged or committed it. */
  readonly stagedAfterwards: boolean
}

/** Whether a change on disk is somebody's write, git's own doing (`sync`), nothing, or none of our business. */
export function judgeWrite(facts: WriteFacts): 'same' | 'sync' | 'write' | 'ignored' {
  const { known, disk, git } = facts
  if (known?.oid === disk?.oid && known?.mode === disk?.mode) return 'same'
  if (git === 'ignored') return 'ignored'
  // A filter (line endings, LFS) makes the bytes on disk differ from the blob of an untouched file.
  if (git === 'clean' && facts.knownFromIndex && disk) return 'same'
  if (git === 'dirty' || git === 'untracked') return 'write'
  if (git === 'staged' && !facts.operation) return 'write'
  if (facts.stagedAfterwards) return 'write'
  return facts.bracketed ? 'sync' : 'write'
}
