import type { Session } from '../../../core/intents/session.ts'
import { disk } from '../../io/files/files.ts'
import { locateWorktree, otherWorktrees } from '../../io/git/read-git-dir.ts'
import { sessionUrl } from '../../../core/ledger/session-url.ts'
import type { SessionPlace } from '../../../core/code/map/conflicts.ts'
import { isProcessAlive } from '../../io/process/processes.ts'
import { readSessionFiles } from '../../intents/sessions/session-store.ts'
import { SILENT_SESSION_MS } from '../../../core/base/thresholds.ts'
import { layoutOf } from '../../io/worktree/layout.ts'
import type { Workspace } from '../../io/worktree/workspace.ts'

// Agents' hooks load this file after each write: it imports neither git nor yaml.

/** The worktree in question, without its git. */
export type WorktreeFolders = Pick<Workspace, 'root' | 'gitDir' | 'commonDir' | 'clock'>

/** A live session, with where its worktree's files are. */
export type LivePlace = SessionPlace & { readonly folders: Pick<WorktreeFolders, 'root' | 'gitDir' | 'commonDir'> }

/** The live sessions in all worktrees of the clone. */
export async function livePlaces(worktree: WorktreeFolders): Promise<LivePlace[]> {
  const others = (await otherWorktrees(worktree)).flatMap(root => locateWorktree(root) ?? [])
  const all = await Promise.all([worktree, ...others].map(it => placesIn(it, worktree.clock)))
  return all.flat()
}

async function placesIn(folders: LivePlace['folders'], clock: Workspace['clock']): Promise<LivePlace[]> {
  const { root, gitDir, commonDir } = folders
  const read = await readSessionFiles({ gitDir, files: disk })
  const live = read.flatMap(it => ('session' in it && isLive(it.session, clock) ? [it.session] : []))
  return live.map(({ id, intent, agent }) => {
    return { session: id, intent, agent, worktree: root, folders: { root, gitDir, commonDir } }
  })
}

function isLive({ endedAt, pid, host, heartbeatAt }: Session, clock: Workspace['clock']): boolean {
  const isGone = pid !== null && host === clock.host && !isProcessAlive(pid)
  return endedAt === null && !isGone && Math.abs(clock.now() - Date.parse(heartbeatAt)) <= SILENT_SESSION_MS
}

/** True if a session of another intent may have written one of these paths: by the end of its ledger, unparsed. */
export async function mayOthersHaveWritten(
  places: readonly LivePlace[],
  intent: string,
  paths: readonly string[],
): Promise<boolean> {
  const others = places.filter(it => it.intent !== intent)
  for (const it of others) {
    const end = await disk.readEnd(layoutOf(it.folders).ledger, LEDGER_END_BYTES).catch(() => null)
    if (end && hasWrite(end.bytes, it.session, paths)) return true
  }
  return false
}

// Some thousands of records. The context, which an agent gets with each prompt, asks the whole ledger.
const LEDGER_END_BYTES = 2 * 1_048_576

function hasWrite(bytes: Buffer, session: string, paths: readonly string[]): boolean {
  const names = [sessionUrl(session), `"session":${JSON.stringify(session)}`]
  for (const path of paths) {
    const wanted = Buffer.from(`"path":${JSON.stringify(path)}`)
    for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) {
      const from = bytes.lastIndexOf(0x0a, at) + 1
      const to = bytes.indexOf(0x0a, at)
      const line = bytes.subarray(from, to === -1 ? bytes.length : to)
      if (names.some(it => line.includes(it))) return true
    }
  }
  return false
}
