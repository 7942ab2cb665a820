/** A file's content and mode: null where there is no file. */
export type Content = { readonly oid: string; readonly mode: string } | null

export type WriteFacts = {
  readonly known: Content
  readonly disk: Content
  /** `known` is the index's blob, and the index has the same blob still: what git calls clean is unchanged. */
  readonly knownFromIndex: boolean
  /** How git sees the path now: `clean` means the worktree has what the index has. */
  readonly git: 'clean' | 'staged' | 'dirty' | 'untracked' | 'ignored'
  /** Git was at work when the file was written, or went. */
  readonly bracketed: boolean
  /**
   * Since when git has the content (of a file that is gone: the one that went): from before everything was last at rest
   * (`old`), since then (`fresh`), or not at all (`never`). What is fresh and was `told` of stood here before.
   */
  readonly origin: 'old' | 'told' | 'fresh' | 'never'
  /** Who first brought the path to this content since all was at rest: git on its own, a plain commit, or either. */
  readonly maker: 'git' | 'hand' | 'both' | null
  /** Git had the content no later than the file: a merge makes both at once, and so does a quick `git add`. */
  readonly blobFirst: boolean
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
  if (!facts.bracketed || facts.origin === 'never') return 'write'
  return (disk === null ? tookAway(facts) : broughtBack(facts)) ? 'sync' : 'write'
}

function broughtBack({ known, git, origin, maker, stashed, blobFirst, conflicted }: WriteFacts): boolean {
  if (origin === 'told' || maker === 'git') return true
  // What git does not track, only a stash brings back; a new file in a plain commit was staged by somebody.
  if (origin === 'old') return stashed || (git !== 'untracked' && (known !== null || maker !== 'hand'))
  return maker === 'both' && blobFirst && !conflicted
}

function tookAway({ git, maker, stashed }: WriteFacts): boolean {
  if (maker === 'hand') return false
  return maker === 'git' || stashed || git === 'clean'
}
