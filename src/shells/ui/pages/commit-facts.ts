import type { AuthorName } from './parts.tsx'

/** The author of a line that a commit added, and the name of its intent as `intentName` gives it. */
export type DiffAuthor = { readonly intent: string | null; readonly author: AuthorName }

/** What one commit changed. */
export type CommitDiff = {
  readonly parents: number
  readonly isNoted: boolean
  /** False for a commit that kotef does not judge, as those from before the adoption: nobody asked who wrote it. */
  readonly isJudged: boolean
  readonly files: readonly ChangedFile[]
  /** How many further files it changes, which are not listed. */
  readonly filesLeftOut: number
  readonly added: number
  readonly removed: number
  /** Empty for a commit that is not judged. */
  readonly authors: readonly AuthorShare[]
  readonly intents: readonly IntentShare[]
}

/** How many of the added lines an author has; the one with the most lines is the first. */
export type AuthorShare = {
  readonly author: AuthorName
  readonly lines: number
  /** How many of them somebody else may have written. */
  readonly doubtful: number
}

/** How many of the added lines are for an intent; null stands for none. */
export type IntentShare = { readonly intent: string | null; readonly lines: number }

/** A file that a commit changes. */
export type ChangedFile = {
  readonly path: string
  /** The old path of a renamed file. */
  readonly from: string | null
  /** What its lines don't say: that it is new, binary or a link, or that its mode changed. */
  readonly words: readonly string[]
  readonly added: number
  readonly removed: number
  /** True for kotef's own files, and others that govern what may be changed. */
  readonly isGovernance: boolean
  readonly hunks: readonly (readonly DiffBlock[])[]
  /** How many further lines of its hunks are not shown. */
  readonly leftOut: number
}

/** Lines below each other of one side; added ones also share an author and an intent. */
export type DiffBlock = {
  readonly side: 'added' | 'removed' | 'kept'
  /** Null for a line that was not added, and of a commit that is not judged. */
  readonly by: DiffAuthor | null
  /** With their numbers after the commit; those of removed lines are the ones before it. */
  readonly lines: readonly { readonly number: number; readonly text: string }[]
}
