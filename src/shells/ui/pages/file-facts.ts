import type { ChangeClass } from '../../../core/ledger/mutation-class.ts'
import type { AuthoredLine } from '../../../core/report/line-hover.ts'

/** What the page of a file shows. */
export type FilePageFacts = {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly path: string
  readonly by: FileColours
  /** How many records of the ledger are about the file. */
  readonly records: number
  readonly content: FileContent
}

/** By what the lines of a file are coloured and counted. */
export type FileColours = 'intent' | 'author'

/** What there is at a path of the worktree. */
export type FileContent = FileText | AbsentFile

/** The lines of a file. */
export type FileText = {
  readonly kind: 'text'
  /** The commit on top of which the file was edited; null while nothing is committed. */
  readonly head: string | null
  readonly view: FileView
  /** The names of intents, by id. */
  readonly names: ReadonlyMap<string, string>
  /** The subjects of the commits of the lines that are shown. */
  readonly subjects: ReadonlyMap<string, string>
}

/** A path that has no lines to show, the reason for it, and the last commit that changed it. */
export type AbsentFile = {
  readonly kind: AbsentKind
  readonly last: { readonly commit: string; readonly at: string; readonly subject: string } | null
}

/** Why there are no lines to show. */
export type AbsentKind = 'missing' | 'binary' | 'folder' | 'link' | 'ignored' | 'outside' | 'unreadable'

/** A line of a file with its author, as `kotef blame` has it. */
export type FileLine = AuthoredLine & { readonly record: string | null } & Partial<ChangeClass>

/** A part of the lines of a file, and their counts. */
export type FileView = {
  readonly total: number
  readonly uncommitted: number
  /** The groups of the colours, the largest first. */
  readonly groups: readonly LineGroup[]
  /** The group that alone is shown; null for all lines. */
  readonly only: Pick<LineGroup, 'key' | 'lines'> | null
  /** The number of the first line that is shown among those of `only`, from 0. */
  readonly from: number
  readonly blocks: readonly LineBlock[]
}

/** Lines that share an intent, or an author; or those that are not committed. */
export type LineGroup = {
  /** Its name in an address. */
  readonly key: string
  /** One of its lines. */
  readonly sample: FileLine
  readonly lines: number
}

/** Lines below each other that share a commit, an intent and an author: the same is to be said of each. */
export type LineBlock = {
  readonly why: FileLine
  readonly lines: readonly { readonly number: number; readonly text: string }[]
}
