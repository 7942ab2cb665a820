import { join } from 'node:path'
import type { RecordDraft } from '../../core/ledger/record.ts'
import { isForAnother } from '../../core/ledger/written-intents.ts'
import { isOutOfRole } from '../../core/ledger/written-roles.ts'
import { fastPathSubject } from '../../core/intents/scope/fast-path-file.ts'
import { layoutOf } from '../io/worktree/layout.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * Closes the hooks' fast path before work for another intent than its own is recorded, or of a role that may not do it:
 * the shell can't read the ledger, which says for what and by whom lines were written. Node judges until the fast path
 * is compiled again.
 */
export async function closeFastPath(workspace: Workspace, drafts: readonly RecordDraft[]): Promise<void> {
  if (drafts.every(it => it.event.event !== 'write' && it.event.event !== 'claimed')) return
  const active = join(layoutOf(workspace).compiled, 'active')
  const subject = fastPathSubject((await readText(workspace, active)) ?? '')
  if (subject && drafts.some(it => isForAnother(it, subject.intent) || isOutOfRole(it)))
    await workspace.files.move(active, pendingMark(workspace)).catch(() => {})
}

/** A file that is there while the fast path is closed until certain lines are committed. */
export function pendingMark(workspace: Workspace): string {
  return join(layoutOf(workspace).compiled, 'pending')
}

async function readText({ files }: Workspace, path: string): Promise<string | null> {
  const end = await files.readEnd(path, ACTIVE_BYTES_MAX).catch(() => null)
  return end?.bytes.toString('utf8') ?? null
}

// The file begins with its subject; a longer one is not of a scope that people write.
const ACTIVE_BYTES_MAX = 2 ** 20
