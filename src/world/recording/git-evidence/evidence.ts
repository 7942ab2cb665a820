import type { Workspace } from '../../io/worktree/workspace.ts'
import type { WorktreeState } from '../observation/worktree-state.ts'
import type { Blobs } from '../../io/git/blobs.ts'
import type { IndexLocks } from './index-locks.ts'
import type { Stashes } from './stashes.ts'
import type { LockInterval } from '../../../core/authorship/change-origin/index-lock.ts'
import type { OriginVerdict } from '../../../core/authorship/change-origin/classify.ts'
import type { CommittedElsewhere } from './committed-elsewhere.ts'
import type { ToolWindow } from '../../../core/authorship/tool-window.ts'
import type { HeadHistory, Reflog } from './reflog.ts'

/** What git leaves behind as it works, as far as this process has followed it. */
export type GitTraces = {
  readonly workspace: Workspace
  readonly state: WorktreeState
  readonly blobs: Blobs
  readonly locks: IndexLocks | null
  readonly reflog: Reflog
  readonly stashes: Stashes
  /** A file of this name in the git directory changed; false when it says nothing of the index. */
  saw(name: string): boolean
  /** A new epoch began. */
  epochClosed(): Promise<void>
}

/** What the caller noticed, and where it wants the verdicts. */
export type Noticed = {
  /** When git held the index, if that is known otherwise than by `locks`. */
  readonly intervals?: readonly LockInterval[] | undefined
  /** When an event reported a path; null when none did. */
  readonly eventAt?: (path: string) => number | null
  /** Takes the verdict on a path, for a log. */
  readonly judged?: (path: string, verdict: OriginVerdict) => void
}

/** The evidence for one batch of paths. What many of them ask is asked once, when the first one does. */
export type GitEvidence = Pick<GitTraces, 'workspace' | 'state' | 'blobs' | 'stashes'> &
  Required<Omit<Noticed, 'intervals'>> & {
    readonly intervals: () => readonly LockInterval[]
    readonly history: () => Promise<HeadHistory>
    readonly committedElsewhere: () => Promise<CommittedElsewhere>
    readonly popped: () => Promise<(path: string) => string | null>
    readonly filteredOid: (path: string, bytes: Buffer | null) => Promise<string | null>
    /** Objects were packed in this epoch: a packed object may be of this epoch as well. */
    readonly isPackedInEpoch: () => Promise<boolean>
    readonly isSparse: () => Promise<boolean>
    readonly windows: () => Promise<readonly ToolWindow[]>
    readonly isMidOperation: () => Promise<boolean>
  }
