import { fileNameFor } from '../io/files/file-name.ts'
import { locateWorktree } from '../io/git/read-git-dir.ts'
import type { WorkspaceWithoutGit } from '../ledger/locate-ledger.ts'
import { ledgerSize } from '../ledger/open-ledger.ts'
import type { SafeEvent } from '../../core/runs/safe-event.ts'
import { readRunEnd, savedEnd } from '../../core/runs/read-run-state.ts'
import type { RunEnd, RunState } from '../../core/runs/run-state.ts'
import {
  type FilesThen,
  isCountDue,
  readWaiting,
  recentLines,
  waitingLine,
  type WaitingEvents,
  type WaitingFile,
} from '../../core/runs/waiting-events.ts'
import { CHECKS_ENDED, ownPath } from '../io/worktree/layout.ts'
import { recordDir } from '../io/worktree/record-dir.ts'
import type { GitDirAccess } from '../io/worktree/workspace.ts'

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
  if (end) await stopsDir(access).put(stopName(session), savedEnd(end))
  else await stopsDir(access).remove(stopName(session))
}

function stopsDir(access: GitDirAccess) {
  return recordDir<RunEnd, object>(access, { folder: ['runs'], fileName: /\.stopped$/, parse: readRunEnd })
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
  events: readonly SafeEvent[],
): Promise<boolean> {
  const { files } = workspace
  if ((await files.modifiedAt(runPath(workspace, session, 'json'))) === null) return false
  const kept = await readWaitingFile(workspace, session)
  // It may be of the definition of done.
  if (kept.lastCheck !== (await lastCheckOf(workspace))) return true
  if (events.length === 0) return false
  if (isCountDue(kept, events)) return true
  const line: WaitingEvents = {
    events,
    files: events.some(it => it.kind === 'tool') ? await filesNow(workspace) : null,
  }
  await files.append(runPath(workspace, session, 'waiting'), Buffer.from(waitingLine(line)))
  return false
}

async function filesNow(workspace: WorkspaceWithoutGit): Promise<FilesThen> {
  return { head: locateWorktree(workspace.root)?.head ?? '', ledgerBytes: await ledgerSize(workspace) }
}

/** Which check of an intent was the last one to end in this worktree; null for none. */
export async function lastCheckOf({ files, gitDir }: GitDirAccess): Promise<string | null> {
  const at = await files.modifiedAt(ownPath({ gitDir }, CHECKS_ENDED))
  return at === null ? null : String(at)
}

/** What of a session waits to be counted. */
export async function readWaitingFile(access: GitDirAccess, session: string): Promise<WaitingFile> {
  return readWaiting((await access.files.read(runPath(access, session, 'waiting')))?.toString('utf8') ?? '')
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

/** Keeps what the next events of a session are compared with; `lastCheck` is the last one that was counted. */
export async function keepRecent(
  access: GitDirAccess,
  session: string,
  { state, lastCheck }: { readonly state: RunState; readonly lastCheck: string | null },
): Promise<void> {
  const lines = recentLines(state, lastCheck)
  if (lines !== '') await access.files.append(runPath(access, session, 'waiting'), Buffer.from(lines))
}
