import { join } from 'node:path'
import { blobOid } from '../../../core/git/blob-oid.ts'
import { hiddenBy } from '../../../core/git/setting-changes.ts'
import type { GitStatusEntry } from '../../../core/git/status.ts'
import { isSparseCheckout } from '../git-evidence/git-evidence.ts'
import type { GitEvidence } from '../git-evidence/evidence.ts'
import { isInDoubt } from '../git-evidence/content-age.ts'
import type { FileState } from '../../io/files/file-state.ts'
import { statAt } from '../../io/watch/directory-stats.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'
import { FILE_CLOCK_TICK_MS } from '../../../core/base/thresholds.ts'
import { inTurns } from './turns.ts'
import type { WorktreeState } from './worktree-state.ts'

// Git's status does not look at a file whose entry in the index has a flag, and calls a file clean of which a filter
// makes the blob of the index. An agent can set either: then kotef compares the files.

type SeenFile = {
  readonly path: string
  readonly file: FileState | null
  readonly git: GitStatusEntry['kind'] | undefined
}

/** How git would see a path without the flag of its entry in the index, and without an agent's settings. */
export async function statusWithoutFlag(
  evidence: Pick<GitEvidence, 'state' | 'isSparse' | 'filteredOid'>,
  { path, file, git }: SeenFile,
): Promise<SeenFile['git']> {
  const { state, isSparse, filteredOid } = evidence
  const flag = state.index.flagOf(path)
  if (flag === null) return git === undefined && file ? statusOfContent(evidence, path, file) : git
  if (file === null) return flag === 'skip-worktree' && (await isSparse()) ? git : 'dirty'
  const entry = state.index.get(path)
  if (file.mode !== entry?.mode) return 'dirty'
  const isSame = file.oid === entry.oid || (await filteredOid(path, file.bytes)) === entry.oid
  return isSame ? git : 'dirty'
}

async function statusOfContent(
  { state: { index, settings }, filteredOid }: Pick<GitEvidence, 'state' | 'filteredOid'>,
  path: string,
  { oid, bytes }: FileState,
): Promise<SeenFile['git']> {
  const entry = index.get(path)
  if (!entry || entry.oid === oid || !isInDoubt(settings) || oidWithoutReturns(bytes, oid) === entry.oid)
    return undefined
  const filtered = await filteredOid(path, bytes)
  if (filtered === null) return hiddenBy(settings?.standing ?? []).content ? 'dirty' : undefined
  return filtered === entry.oid ? undefined : 'dirty'
}

// The line ends of Windows are no other content to git.
function oidWithoutReturns(bytes: Buffer | null, { length }: string): string | null {
  if (!bytes?.includes('\r\n')) return null
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n')
  return blobOid(Buffer.from(text, 'latin1'), length === 64 ? 'sha256' : 'sha1')
}

/**
 * The tracked paths whose files changed since the last comparison, while git may call them clean by an agent's setting.
 * No program can set the time that counts.
 */
export async function changedInDoubt(
  { root }: Workspace,
  { index, settings, lookedAt }: Pick<WorktreeState, 'index' | 'settings' | 'lookedAt'>,
): Promise<string[]> {
  const changed: string[] = []
  if (!isInDoubt(settings)) return changed
  for await (const part of inTurns(index.paths()))
    for (const path of part) {
      const stat = statAt(join(root, path))
      if (stat?.isFile() && stat.ctimeMs >= lookedAt - FILE_CLOCK_TICK_MS) changed.push(path)
    }
  return changed
}

/** The paths whose files git does not look at, apart from those that a sparse checkout leaves out of the worktree. */
export async function unwatchedByGit(workspace: Workspace, { index }: Pick<WorktreeState, 'index'>): Promise<string[]> {
  const skipped = index.flaggedPaths('skip-worktree')
  const isLeftOut = skipped.length > 0 && (await isSparseCheckout(workspace))
  return [...index.flaggedPaths('assume-unchanged'), ...(isLeftOut ? [] : skipped)]
}
