import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { watchFolder } from '../io/watch/watch-folder.ts'
import { layoutOf } from '../worktree/layout.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Watches the folders of the files on which the answers about a worktree depend. */
export type StateFolders = Disposable & {
  /** Watches the folders that are new, and no longer those that are gone. */
  renew(): Promise<void>
}

type WatchedFolder = Disposable & { readonly inode: number }

/** Calls `changed` when one of these files may have changed. Neither a saved file nor the ledger is among them. */
export function watchStateFolders(workspace: Workspace, changed: () => void): StateFolders {
  const watched = new Map<string, WatchedFolder>()
  const stop = (folder: string): void => {
    watched.get(folder)?.[Symbol.dispose]()
    watched.delete(folder)
  }
  const renewFolder = async (folder: string, isWanted: (name: string) => boolean): Promise<void> => {
    const inode = (await lstat(folder).catch(() => null))?.ino ?? null
    if (watched.get(folder)?.inode === inode) return
    stop(folder)
    if (inode !== null) watched.set(folder, { inode, ...startWatch(folder, isWanted, changed) })
  }
  return {
    async renew() {
      for (const [folder, isWanted] of Object.entries(namesByFolder(workspace))) await renewFolder(folder, isWanted)
    },
    [Symbol.dispose]: () => [...watched.keys()].forEach(stop),
  }
}

function startWatch(folder: string, isWanted: (name: string) => boolean, changed: () => void): Disposable {
  // A folder that is removed reports its own name.
  const isOwnName = (name: string) => name === basename(folder)
  const noWatch = { [Symbol.dispose]: () => {} }
  try {
    return watchFolder(folder, {
      changed: name => void ((isWanted(name) || isOwnName(name)) && changed()),
      failed: changed,
    })
  } catch {
    return noWatch
  }
}

function namesByFolder(workspace: Workspace): Record<string, (name: string) => boolean> {
  const { root, gitDir, commonDir } = workspace
  const { own, sessions, intents } = layoutOf(workspace)
  const named = (names: RegExp) => (name: string) => names.test(name)
  return {
    [root]: named(/^\.(intentignore|orchestration|sdd|git|gitignore)$/),
    [join(root, '.orchestration')]: named(/^(active_intents\.yaml|config\.yaml|intents)$/),
    [intents]: named(/\.yaml$/),
    [join(root, '.sdd')]: named(/^KOTEF\.md$/),
    [commonDir]: named(/^packed-refs$/),
    [join(commonDir, 'refs/notes')]: named(/^kotef$/),
    [gitDir]: named(/^(HEAD|packed-refs|kotef|logs)$/),
    [join(gitDir, 'logs')]: named(/^HEAD$/),
    [own]: named(/^(daemon\.json|sessions)$/),
    [sessions]: named(/\.json$/),
  }
}
