import { fileIdentity } from '../io/files/file-state.ts'
import type { Workspace } from '../worktree/workspace.ts'
import type { DaemonLock } from '../daemon-client/daemon-lock.ts'

/** How a daemon lost its worktree: it was removed, or another one has its path now. */
export type WorktreeLoss = 'gone' | 'replaced'

export type WorktreeGuard = Disposable & {
  /** Resolves when the worktree is lost. */
  readonly loss: Promise<WorktreeLoss>
  /** True while the worktree, its git directory and the daemon's lock are those of the start. */
  isInPlace(): Promise<boolean>
}

/** Checks regularly whether a daemon still has its worktree, and calls `gone` when that was removed. */
export async function guardWorktree(
  { root, gitDir, clock }: Pick<Workspace, 'root' | 'gitDir' | 'clock'>,
  daemonLock: Pick<DaemonLock, 'isHeld'>,
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
    if (isFirst) setTimeout(() => void check(), REPLACING_MS).unref()
    else if (clock.ticks() - absentSince >= REPLACING_MS) {
      reportLoss('gone')
      gone()
    }
    return false
  }
  const check = async (): Promise<void> => {
    if ((await isInPlace()) && !(await daemonLock.isHeld()) && (await isInPlace())) reportLoss('replaced')
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  return { loss, isInPlace, [Symbol.dispose]: () => clearInterval(timer) }
}

const REPLACING_MS = 100

// Every batch checks as well. This is for a worktree without changes.
const CHECK_MS = 500
