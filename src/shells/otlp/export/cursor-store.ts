import { acquireLock, lockHolder, releaseLock } from '../../../world/io/files/lock.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { type ExportCursor, freshCursor, readExportCursor } from '../records/export-cursor.ts'
import { sha256Hex } from '../../../core/base/sha256.ts'
import { ownPath } from '../../../world/io/worktree/layout.ts'
import type { Workspace } from '../../../world/io/worktree/workspace.ts'
import type { ExportEndpoint } from './endpoint.ts'

/** The cursor of one endpoint, on the disk. */
export type CursorStore = {
  /** The saved cursor; null without one. Throws when the file is damaged: going on could send everything again. */
  load(): Promise<ExportCursor | null>
  save(cursor: ExportCursor): Promise<void>
}

/** Opens the cursor of an endpoint in the git directory. */
export function cursorStore({ gitDir, files }: Workspace, endpoint: ExportEndpoint): CursorStore {
  const path = ownPath({ gitDir }, 'export', `${endpointName(endpoint)}.json`)
  return {
    async load() {
      const text = (await files.read(path))?.toString('utf8')
      if (text === undefined) return null
      const cursor = readExportCursor(text)
      if (cursor) return cursor
      const hint = `Remove it, and the export begins again at the first record: \`rm '${path}'\``
      throw new KotefError('export-failed', `${path} is damaged: it says how far the export came.`, { hint })
    },
    save: cursor => files.replace(path, `${JSON.stringify(cursor)}\n`, 0o600),
  }
}

/** The cursor of an export that has not begun yet. */
export function newCursor({ clock }: Workspace, since: number | null): ExportCursor {
  return freshCursor({ id: clock.uuid(), now: clock.now(), since })
}

/** Does some work while no other process exports this ledger to that endpoint. */
export async function whileExporting<T>(
  workspace: Workspace,
  endpoint: ExportEndpoint,
  work: () => Promise<T>,
): Promise<T> {
  await workspace.files.privateFolder(ownPath(workspace, 'export'))
  const lock = ownPath(workspace, 'export', `${endpointName(endpoint)}.lock`)
  if (!(await acquireLock(lock))) {
    const [pid = ''] = (await lockHolder(lock)).split(' ')
    throw new KotefError('export-running', `Another process exports to ${endpoint.shown} (pid ${pid}).`)
  }
  return work().finally(() => releaseLock(lock))
}

function endpointName({ key }: ExportEndpoint): string {
  return sha256Hex(key).slice(0, 16)
}
