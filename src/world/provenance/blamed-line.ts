import type { LineIntent } from '../../core/authorship/line-intent.ts'
import type { GitAuthor } from '../../core/git/blame.ts'
import type { ChangeClass } from '../../core/ledger/mutation-class.ts'
import type { LineAuthor } from './line-authors.ts'

/** A line of a file (1-based), and its author. */
export type BlamedLine = {
  readonly line: number
  /** Null for a line that is not committed. */
  readonly commit: string | null
  /** The author of that commit; null for a line that is not committed. */
  readonly by: GitAuthor | null
} & LineAuthor &
  Pick<LineIntent, 'either'> &
  // The class of that commit's change of the file, where one is known.
  Partial<ChangeClass>
