import { join } from 'node:path'
import { layoutOf } from '../../world/io/worktree/layout.ts'
import { type WatchedFolders, type WatchedNames, watchFolders } from '../../world/io/worktree/watched-folders.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** Calls `changed` when one of these files may have changed. Neither a saved file nor the ledger is among them. */
export function watchStateFolders(workspace: Workspace, changed: () => void): WatchedFolders {
  return watchFolders(namesByFolder(workspace), changed)
}

function namesByFolder(workspace: Workspace): WatchedNames {
  const { root, gitDir, commonDir } = workspace
  const { own, sessions, intents } = layoutOf(workspace)
  return {
    [root]: /^\.(intentignore|orchestration|sdd|git|gitignore)$/,
    [join(root, '.orchestration')]: /^(active_intents\.yaml|config\.yaml|intents)$/,
    [intents]: /\.yaml$/,
    [join(root, '.sdd')]: /^KOTEF\.md$/,
    [commonDir]: /^packed-refs$/,
    [join(commonDir, 'refs/notes')]: /^kotef$/,
    [gitDir]: /^(HEAD|packed-refs|kotef|logs)$/,
    [join(gitDir, 'logs')]: /^HEAD$/,
    [own]: /^(daemon\.json|sessions)$/,
    [sessions]: /\.json$/,
  }
}
