import { fileNameFor } from '../io/files/file-name.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'
import { ledgerSize, type WorkspaceWithoutGit } from '../ledger-store/locate-ledger.ts'
import type { RunEvent } from '../runs/event.ts'
import { readRunEnd } from '../runs/read-run-state.ts'
import type { RunEnd, RunState } from '../runs/run-state.ts'
import { isCountDue, readWaiting, recentLines, type WaitingEvents } from '../runs/waiting-events.ts'
import { CHECKS_ENDED, ownPath } from '../worktree/layout.ts'
import { recordDir } from '../worktree/record-dir.ts'
import type { GitDirAccess } from '../worktree/workspace.ts'

// Agents' hooks load this file before each call that writes: it imports no more than they need.

/** The path of a file of a session's run: the run itself, its lock, and what waits to be counted. */
export function runPath(access: GitDirAccess, session: string, kind: 'json' | 'lock' | 'waiting' | 'counting'): string {
  return ownPath(access, 'runs', `${fileNameFor(session)}.${kind}`)
}

/** How the run of a session was stopped, as it was last counted; null for one that goes on or is done. */
export async function stoppedEnd(access: GitDirAccess, session: string): Promise<RunEnd | null> {
  return stopsDir(access).get(stopName(session))
}

/** Keeps how a run was stopped, or that it goes on: in a small file, because each call that writes asks for it. */
export async function keepStop(access: GitDirAccess, session: string, end: RunEnd | null): Promise<void> {
  if (end) await stopsDir(access).put(stopName(session), end)
  else await stopsDir(access).remove(stopName(session))
}

function stopsDir(access: GitDirAccess) {
  return recordDir<RunEnd>(access, { folder: ['runs'], fileName: /\.stopped$/, parse: readRunEnd })
}

function stopName(session: string): string {
  return `${fileNameFor(session)}.stopped`
}

/**
 * Keeps events of a session for the next count of its run, on the files as they are now. True when they have to be
 * counted now: they are not kept then.
 */
export async function noteEvents(
  workspace: WorkspaceWithoutGit,
  session: string,
  events: readonly RunEvent[],
): Promise<boolean> {
  const [countedAt = null, checkedAt = null] = await modifiedTimes(workspace, session)
  if (countedAt === null) return false
  if (checkedAt !== null && checkedAt >= countedAt) return true
  if (events.length === 0) return false
  const { files } = workspace
  const path = runPath(workspace, session, 'waiting')
  if (isCountDue(readWaiting((await files.read(path))?.toString('utf8') ?? ''), events)) return true
  const line: WaitingEvents = { events, ...(await filesNow(workspace, events)) }
  await files.append(path, Buffer.from(`${JSON.stringify(line)}\n`))
  return false
}

// Only what a tool has returned depends on the files.
async function filesNow(workspace: WorkspaceWithoutGit, events: readonly RunEvent[]) {
  if (!events.some(it => it.kind === 'tool')) return { head: '', ledgerBytes: 0 }
  return { head: locateWorktree(workspace.root)?.head ?? '', ledgerBytes: await ledgerSize(workspace) }
}

// When the run was counted, and when a check ended in this worktree: that may be its definition of done.
function modifiedTimes({ files, gitDir }: GitDirAccess, session: string): Promise<(number | null)[]> {
  const paths = [runPath({ gitDir, files }, session, 'json'), ownPath({ gitDir }, CHECKS_ENDED)]
  return Promise.all(paths.map(it => files.modifiedAt(it)))
}

/** Takes the events of a session that wait. A process that is killed before it has counted them loses them. */
export async function takeWaiting(access: GitDirAccess, session: string): Promise<readonly WaitingEvents[]> {
  const { files } = access
  const taken = runPath(access, session, 'counting')
  await files.move(runPath(access, session, 'waiting'), taken).catch(() => {})
  const text = (await files.read(taken))?.toString('utf8') ?? ''
  if (text !== '') await files.remove(taken)
  return readWaiting(text).waiting
}

/** Keeps what the next events of a session are compared with. */
export async function keepRecent(access: GitDirAccess, session: string, state: RunState): Promise<void> {
  const lines = recentLines(state)
  if (lines !== '') await access.files.append(runPath(access, session, 'waiting'), Buffer.from(lines))
}
