import type { Workspace } from '../workspace/workspace.ts'

/** Calls once when the worktree or its git directory is no longer there: nobody needs this daemon any more. */
export function guardPlace({ files, root, gitDir }: Workspace, gone: () => void): Disposable {
  const look = async (): Promise<void> => {
    const places = await Promise.all([root, gitDir].map(it => files.modifiedAt(it).catch(() => 0)))
    if (places.includes(null)) gone()
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const LOOK_MS = 2_000
