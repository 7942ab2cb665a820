import { blobOid } from '../../../core/git/blob-oid.ts'
import { ownPath } from './layout.ts'
import type { GitDirAccess, Workspace } from './workspace.ts'
import { LEDGER_PATH } from '../../../core/base/governance-files.ts'

/** Announces that kotef is about to write these bytes into the worktree, so that the daemon does not record them. */
export async function announceOwnWrite(workspace: GitDirAccess, bytes: Buffer): Promise<void> {
  await workspace.files.put(markerPath(workspace, blobOid(bytes)), '')
}

/** True when kotef announced a write of these bytes, and the path is one that kotef writes to. */
export async function isOwnWrite(workspace: Workspace, path: string, oid: string): Promise<boolean> {
  return OWN_WRITE_PATHS.test(path) && (await workspace.files.modifiedAt(markerPath(workspace, oid))) !== null
}

const OWN_WRITE_PATHS = new RegExp(
  [
    String.raw`^(\.orchestration\/|\.sdd\/|\.husky\/|\.intentignore$`,
    // Agents' settings and prompt files.
    String.raw`\.(claude|codex|gemini|cursor|opencode|clinerules)\/|\.github\/hooks\/|\.vscode\/mcp\.json$`,
    String.raw`\.mcp\.json$|opencode\.json$|(AGENTS|CLAUDE|GEMINI)\.md$)`,
  ].join('|'),
)

/** True for the files that kotef writes while it runs, the ledger and the daemon's cookies. They are never recorded. */
export function isRuntimePath(path: string): boolean {
  return path === LEDGER_PATH || path.startsWith(COOKIE_PREFIX)
}

/** The path of the daemon's cookie files, without the id at its end. */
export const COOKIE_PREFIX = '.orchestration/.flush-'

function markerPath(workspace: GitDirAccess, oid: string): string {
  return ownPath(workspace, 'own-writes', oid)
}
