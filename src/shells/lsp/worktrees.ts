import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isWithin, realPathOf } from '../../world/io/files/real-path.ts'
import { locateWorktree } from '../../world/io/git/read-git-dir.ts'
import { openWorkspace } from '../../world/io/worktree/workspace.ts'
import { type StateListener, type WatchedWorktree, watchWorktree } from './watched-worktree.ts'

/** A file of a worktree that is served: its path there, with `/`. */
export type ServedFile = { readonly worktree: WatchedWorktree; readonly path: string }

/** The worktrees that the client works in. */
export type Worktrees = Disposable & {
  /** The worktree of a file, opened if need be; null for a file that no served worktree has. */
  find(file: string): Promise<ServedFile | null>
  /** Opens the worktree that a folder is in, if there is one. */
  open(folder: string): Promise<void>
  /** Forgets a worktree that is gone. */
  drop(worktree: WatchedWorktree): void
}

/** The worktrees that contain one of the client's folders, or lie in one. `folders` answers what they are now. */
export function openWorktrees(folders: () => readonly string[], changed: StateListener): Worktrees {
  const opened = new Map<string, Promise<WatchedWorktree>>()
  const open = (root: string): Promise<WatchedWorktree> => {
    const known = opened.get(root)
    if (known) return known
    const opening = watchWorktree(root, changed)
    opened.set(root, opening)
    // Tried again at the next file: the repository may be repaired by then.
    opening.catch(() => opened.delete(root))
    return opening
  }
  return {
    async find(file) {
      const real = await realPathOf(file)
      const root = await worktreeAround(dirname(real))
      if (root === null || !(await isServed(root, folders()))) return null
      const path = relative(root, real).split(sep).join('/')
      return /^(\.\.|\.git)(\/|$)/.test(path) || path === '' ? null : { worktree: await open(root), path }
    },
    async open(folder) {
      const root = await worktreeAround(folder)
      if (root !== null) await open(root)
    },
    drop(worktree) {
      opened.delete(worktree.workspace.root)
      worktree[Symbol.dispose]()
    },
    [Symbol.dispose]() {
      for (const it of opened.values()) void it.then(each => each[Symbol.dispose]()).catch(() => {})
    },
  }
}

// A new file may be in a folder that is not there yet.
async function worktreeAround(folder: string): Promise<string | null> {
  const there = existsSync(folder) ? folder : nearestFolder(folder)
  const located = locateWorktree(there)
  if (located) return located.root
  return openWorkspace(there).then(
    it => it.root,
    () => null,
  )
}

function nearestFolder(folder: string): string {
  const above = dirname(folder)
  return existsSync(above) || above === folder ? above : nearestFolder(above)
}

async function isServed(root: string, folders: readonly string[]): Promise<boolean> {
  for (const it of folders) {
    // A link is resolved as it is for a file in that folder.
    const folder = dirname(await realPathOf(join(it, 'any')))
    if (folder === root || isWithin(folder, root) || isWithin(root, folder)) return true
  }
  return false
}
