import { fileIdentity } from '../files/file-state.ts'
import { WORKTREE_CHECK_MS, WORKTREE_REPLACING_MS } from '../../../core/base/thresholds.ts'
import type { Workspace } from './workspace.ts'

/** How a program that goes on running lost its worktree: it was removed, or another one has its path now. */
export type WorktreeLoss = 'gone' | 'replaced'

export type WorktreeGuard = Disposable & {
  /** Resolves when the worktree is lost. */
  readonly loss: Promise<WorktreeLoss>
  /** True while the worktree and its git directory are those of the start. */
  isInPlace(): Promise<boolean>
}

/** What a program holds in its worktree; in another one, nothing is held. */
type Held = { isHeld(): Promise<boolean> }

/** Checks regularly whether a program still has its worktree and holds its lock; calls `gone` when it was removed. */
export async function guardWorktree(
  { root, gitDir, clock }: Pick<Workspace, 'root' | 'gitDir' | 'clock'>,
  lock: Held | null,
  gone: () => void,
): Promise<WorktreeGuard> {
  const identities = (): Promise<(string | null)[]> => Promise.all([root, gitDir].map(fileIdentity))
  const first = await identities()
  let found: WorktreeLoss | null = null
  let absentSince: number | null = null
  let reportLoss: (loss: WorktreeLoss) => void
  const loss = new Promise<WorktreeLoss>(resolve => (reportLoss = it => resolve((found ??= it))))
  const isInPlace = async (): Promise<boolean> => {
    const now = await identities()
    if (now.includes(null)) return noteAbsence()
    absentSince = null
    if (now.some((it, n) => it !== first[n])) reportLoss('replaced')
    return found === null
  }
  // Another repository may take the place in the next moment: `mv .git old; mv new/.git .git`.
  const noteAbsence = (): false => {
    const isFirst = absentSince === null
    absentSince ??= clock.ticks()
    if (isFirst) setTimeout(() => void check(), WORKTREE_REPLACING_MS).unref()
    else if (clock.ticks() - absentSince >= WORKTREE_REPLACING_MS) {
      reportLoss('gone')
      gone()
    }
    return false
  }
  const check = async (): Promise<void> => {
    if ((await isInPlace()) && lock && !(await lock.isHeld()) && (await isInPlace())) reportLoss('replaced')
  }
  const timer = setInterval(() => void check(), WORKTREE_CHECK_MS)
  return { loss, isInPlace, [Symbol.dispose]: () => clearInterval(timer) }
}
