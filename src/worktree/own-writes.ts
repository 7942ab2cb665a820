import { blobOid } from '../git/blob-oid.ts'
import { ownPath } from './layout.ts'
import type { Workspace } from './workspace.ts'
import { LEDGER_PATH } from '../paths/governance-files.ts'

/** Says beforehand that kotef itself is about to put these bytes into the tree, so that the daemon knows them. */
export async function announceOwnWrite(workspace: Workspace, bytes: Buffer): Promise<void> {
  await workspace.files.put(markerPath(workspace, blobOid(bytes)), '')
}

/** True when kotef itself wrote these bytes, in one of the places where it writes at all. */
export async function isOwnWrite(workspace: Workspace, path: string, oid: string): Promise<boolean> {
  return OWN_WRITE_PATHS.test(path) && (await workspace.files.modifiedAt(markerPath(workspace, oid))) !== null
}

const OWN_WRITE_PATHS = new RegExp(
  [
    String.raw`^(\.orchestration\/|\.sdd\/|\.husky\/|\.intentignore$`,
    // Where agents are told of kotef.
    String.raw`\.(claude|codex|gemini|cursor|opencode|clinerules)\/|\.github\/hooks\/|\.vscode\/mcp\.json$`,
    String.raw`\.mcp\.json$|opencode\.json$|(AGENTS|CLAUDE|GEMINI)\.md$)`,
  ].join('|'),
)

/** True for what kotef writes all the time in the worktree: its ledger, and the daemon's cookies. Never recorded. */
export function isRuntimePath(path: string): boolean {
  return path === LEDGER_PATH || path.startsWith(COOKIE_PREFIX)
}

/** Where the daemon's cookies lie, but for the end of their names. */
export const COOKIE_PREFIX = '.orchestration/.flush-'

function markerPath(workspace: Workspace, oid: string): string {
  return ownPath(workspace, 'own-writes', oid)
}
