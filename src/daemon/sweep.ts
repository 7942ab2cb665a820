import { findLeftovers } from '../worktree/leftovers.ts'
import { ownPath } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Removes files from kotef's folders that are no longer needed: at once, and once a day. */
export async function sweepDaily(workspace: Workspace, failed: (reason: unknown) => void): Promise<Disposable> {
  const sweep = async (): Promise<void> => {
    const paths = Object.values(await findLeftovers(workspace)).flat()
    for (const path of paths) await workspace.files.clear(path)
  }
  // A killed daemon left the texts that it was diffing.
  await workspace.files.clear(ownPath(workspace, 'tmp')).catch(failed)
  await sweep().catch(failed)
  const timer = setInterval(() => void sweep().catch(failed), DAY_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const DAY_MS = 86_400_000
