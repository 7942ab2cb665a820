/** What the caller knows of a changed file before it asks anything: how the file was, how it is, how git sees it. */
export type GivenFacts = {
  /** There was a file, as far as kotef knew. */
  readonly existed: boolean
  /** There is a file. */
  readonly exists: boolean
  /** Content or mode is another than kotef knew. */
  readonly differs: boolean
  /** How `git status` sees the path; `clean` means that the worktree has what the index has. */
  readonly status: 'clean' | 'staged' | 'dirty' | 'untracked' | 'ignored'
  /** What kotef knew of the file is the entry that the index has now. */
  readonly knownFromIndex: boolean
}

/** What has to be asked for. The first group is about a file that exists, the second about one that is gone. */
export type AskedFacts = {
  /** kotef announced that it would write these bytes. */
  readonly announcedByKotef: boolean
  /** The file, or a folder above it, was moved here, or given other rights, after the file was written. */
  readonly arrivedByMove: boolean
  /** A git command may have held the index's lock when the file was written. */
  readonly writtenUnderIndexLock: boolean
  /** The path had this content before in this epoch, and that was known or recorded. */
  readonly seenHere: boolean
  /** Since when git has the content; `seen-here`: it has it, and the path had it before in this epoch. */
  readonly contentAge: 'not-in-git' | 'seen-here' | 'before-epoch' | 'this-epoch'
  /** An agent's tool call ran when the file was written, and may have written it. */
  readonly writtenInCall: boolean
  /** The index has the content, and had it already when kotef last inspected the path. */
  readonly indexStood: boolean
  /** Git is in the midst of a merge, a pick, a revert or a rebase, which put old contents where they belong. */
  readonly isMidOperation: boolean
  /** What last led the path to this content, for a content from before the epoch. */
  readonly lastBroughtBy: Source
  /** What first led the path to this content, for a content of this epoch. */
  readonly firstBroughtBy: Source
  /** Another worktree of the clone committed this content at this path before the file was written. */
  readonly committedElsewhere: boolean
  /** A stash has this content at this path. */
  readonly inStash: boolean
  /** Git had the content no later than the file: a merge makes both at once. */
  readonly blobNotYounger: boolean
  /** The content that kotef knew has the marks of a conflict in it. */
  readonly hadConflictMarks: boolean
  /** The content has the marks of a conflict in it. */
  readonly hasConflictMarks: boolean

  /** The index has the path, and a sparse checkout may leave it out of the worktree. */
  readonly leftOutBySparseCheckout: boolean
  /** A stash took the file away since kotef last inspected the path. */
  readonly takenByStash: boolean
  /** Git had the file at some time since kotef last inspected the path. */
  readonly gitHadFile: boolean
  /** The last move of HEAD at this path was made by git, and removed the file. */
  readonly removedByLastHeadMove: boolean
  /** What last removed the file, of all that HEAD's moves and merges did. */
  readonly removedBy: Source
  /** HEAD moved since kotef last inspected the path, and not only by plain commits. */
  readonly headMovedByGit: boolean
}

export type OriginFacts = GivenFacts & AskedFacts

/**
 * Who changed a file in git's history. `commit`: a plain commit, which is made of what a person staged. `either`: the
 * commit that ends a merge or a rebase has git's work and a person's; without a log of HEAD nobody can say.
 */
export type Source = 'git' | 'commit' | 'either' | 'nothing'
