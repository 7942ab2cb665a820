import { isExpiredWindow, type ToolWindow } from '../../../core/authorship/tool-window.ts'
import { fileNameFor } from '../../io/files/file-name.ts'
import type { Session } from '../../../core/intents/session.ts'
import { recordDir } from '../../io/worktree/record-dir.ts'
import type { GitDirAccess, Workspace } from '../../io/worktree/workspace.ts'
import {
  branchBelow,
  isProcessAlive,
  isStillRunning,
  ownGroup,
  processAncestors,
  type RunningProcess,
  starterBelow,
} from '../../io/process/processes.ts'
import { keepPastCall } from './past-calls.ts'
import { UNREADABLE_WINDOW_MS_MAX } from '../../../core/base/thresholds.ts'

/** What windows need of a workspace. */
export type ActivityAccess = GitDirAccess & Pick<Workspace, 'clock'>

/** A window's key: its session, and the lane, in which one tool call follows the other. */
type WindowKey = Pick<ToolWindow, 'session'> & { readonly lane: string }

/** Opens a window. It replaces the window before it in its lane. */
export async function openWindow(
  access: ActivityAccess,
  { lane, ...window }: Omit<ToolWindow, 'openedAt' | 'closedAt' | 'host' | 'group'> & WindowKey,
): Promise<void> {
  const { files, clock } = access
  const windows = windowsDir(access)
  const name = windowFileName({ session: window.session, lane })
  const before = await windows.get(name)
  // The agent's hook has the control group of the agent.
  const outer = { ...outerProgram(before, window), ...starterOf(window, before), group: ownGroup() }
  // Windows are compared with the modification times of files. The kernel's clock for those runs behind the clock of
  // programs, so the opening time is read from a file that is written now.
  await files.put(windows.path(name), '')
  const openedAt = (await files.modifiedAt(windows.path(name))) ?? clock.now()
  await windows.put(name, { ...window, ...outer, openedAt, closedAt: null, host: clock.host })
}

// A command of a call can report the beginning of another one; both are of the same agent.
function outerProgram(before: ToolWindow | null, { pid = null }: Pick<ToolWindow, 'pid'>): Pick<ToolWindow, 'pid'> {
  const known = before?.pid ?? null
  return pid !== null && known !== null && processAncestors().includes(known) ? { pid: known } : {}
}

// The one of the call under way counts: a command of it can report what it likes.
function starterOf({ pid }: Pick<ToolWindow, 'pid'>, before: ToolWindow | null): Pick<ToolWindow, 'starter'> {
  const starter = before?.starter ?? (typeof pid === 'number' ? starterBelow(pid) : null)
  return starter === null ? {} : { starter }
}

/** Closes the window of a call: later writes are not the agent's. Null when the call has no window. */
export async function closeWindow(
  access: ActivityAccess,
  call: WindowKey & Pick<ToolWindow, 'kind' | 'path' | 'call'>,
) {
  const windows = windowsDir(access)
  const name = windowFileName(call)
  const window = await windows.get(name)
  if (!window || isExpiredWindow(window, access.clock.now()) || !isOfCall(window, call)) return null
  const closed = withEnd({ ...window, closedAt: null }, access)
  await windows.put(name, closed)
  return closed
}

function withEnd(window: ToolWindow, { clock }: Pick<ActivityAccess, 'clock'>): ToolWindow {
  const { endedIn = null } = window
  const within = endedIn !== null && isStillRunning(endedIn) ? endedIn : reporterOf(window)
  return { ...window, closedAt: window.closedAt ?? clock.now() + 1, endedIn: within }
}

// Another process that is started as the hook was that reported the begin, and runs nothing else, is a hook as well.
function reporterOf({ pid, starter }: ToolWindow): RunningProcess | null {
  if (typeof pid !== 'number') return null
  const own = starter && starterBelow(pid)
  const isHook = own?.command === starter?.command && own?.pid !== starter?.pid
  return isHook ? null : branchBelow(pid)
}

/** True while the call of a window may run: also after an end that one of its own commands has reported. */
export function isRunningCall({ closedAt, endedIn = null }: Pick<ToolWindow, 'closedAt' | 'endedIn'>): boolean {
  return closedAt === null || (endedIn !== null && isStillRunning(endedIn))
}

/** Closes the window of a lane, whichever call it is of; false without one. */
export async function closeLane(access: ActivityAccess, lane: WindowKey): Promise<boolean> {
  const windows = windowsDir(access)
  const name = windowFileName(lane)
  const window = await windows.get(name)
  if (window) await windows.put(name, withEnd(window, access))
  return window !== null
}

function isOfCall(window: ToolWindow, { kind, path, call }: Pick<ToolWindow, 'kind' | 'path' | 'call'>): boolean {
  return window.kind === kind && window.path === path && window.call === call
}

/** Removes a lane's window, unless its call may run on. */
export async function dropWindow(access: GitDirAccess, lane: WindowKey): Promise<void> {
  await dropFile(access, windowFileName(lane))
}

async function dropFile(access: GitDirAccess, name: string): Promise<void> {
  const windows = windowsDir(access)
  const window = await windows.get(name)
  if (window && isRunningCall({ ...window, closedAt: 0 })) return
  if (window) await keepPastCall(access, window)
  await windows.remove(name)
}

/** Keeps in mind whose process a session was of, as long as the command runs that has reported its end. */
export async function keepEndedSession(access: ActivityAccess, session: EndedSession): Promise<void> {
  const { pid, id, agent, model } = session
  const at = access.clock.now()
  const window = { session: id, agent: agent ?? 'an agent', model, kind: 'exec', path: null, call: null } as const
  const ended = withEnd({ ...window, pid, openedAt: at, closedAt: at, host: access.clock.host }, access)
  if (ended.endedIn) await windowsDir(access).put(windowFileName({ session: id, lane: 'ended' }), ended)
}

type EndedSession = Pick<Session, 'id' | 'agent' | 'model' | 'pid'>

/**
 * The windows of a worktree, newest last. Removes the stale ones, and ends those of agents whose process is gone. A
 * call runs on after an end that one of its own commands has reported.
 */
export async function readWindows(access: ActivityAccess): Promise<ToolWindow[]> {
  const { files, clock } = access
  const windows = windowsDir(access)
  const found: ToolWindow[] = []
  for (const name of await windows.names()) {
    const kept = await windows.get(name)
    const window = kept && isAbandoned(kept, clock) ? { ...kept, closedAt: clock.now() } : kept
    if (window && window !== kept) await windows.put(name, window)
    if (window && !isExpiredWindow(window, clock.now())) {
      const isOpen = window.endedIn?.pid !== window.pid && isRunningCall(window)
      found.push(isOpen ? { ...window, closedAt: null } : window)
      if (isOpen || !isLeft(window, clock.now())) continue
    }
    const writtenAt = await files.modifiedAt(windows.path(name))
    if (writtenAt === null || Math.abs(clock.now() - writtenAt) <= UNREADABLE_WINDOW_MS_MAX) continue
    if (window) await keepPastCall(access, window)
    await windows.remove(name)
  }
  return found.sort((one, other) => one.openedAt - other.openedAt)
}

// An agent that was killed reports no end. From now on, what is written is not its own.
function isAbandoned({ closedAt, pid, host }: ToolWindow, clock: ActivityAccess['clock']): boolean {
  return closedAt === null && typeof pid === 'number' && host === clock.host && !isProcessAlive(pid)
}

// The agent's own report may still come after the one of its command.
function isLeft(window: ToolWindow, now: number): boolean {
  const { closedAt } = window
  return closedAt !== null && !isRunningCall(window) && now - closedAt > UNREADABLE_WINDOW_MS_MAX
}

/** The windows of a session, without those of the lanes that are still busy. */
type WindowSelection = Pick<ToolWindow, 'session'> & { readonly busy: readonly string[] }

/** Closes the selected windows of a session; true when there were any. */
export async function closeSessionWindows(access: ActivityAccess, selection: WindowSelection): Promise<boolean> {
  const windows = windowsDir(access)
  const names = await selectedNames(access, selection)
  for (const name of names) {
    const window = await windows.get(name)
    if (window) await windows.put(name, withEnd(window, access))
  }
  return names.length > 0
}

/** Removes the selected windows of a session whose calls are over. */
export async function dropSessionWindows(access: GitDirAccess, selection: WindowSelection): Promise<void> {
  for (const name of await selectedNames(access, selection)) await dropFile(access, name)
}

async function selectedNames(access: GitDirAccess, { session, busy }: WindowSelection): Promise<string[]> {
  const kept = busy.map(lane => windowFileName({ session, lane }))
  const names = await windowsDir(access).names()
  return names.filter(it => it.startsWith(`${fileNameFor(session)}.`) && !kept.includes(it))
}

function windowFileName({ session, lane }: WindowKey): string {
  return `${fileNameFor(session)}.${fileNameFor(lane)}.json`
}

function windowsDir(access: GitDirAccess) {
  return recordDir(access, { folder: ['windows'], fileName: /\.json$/, parse: parseWindow })
}

function parseWindow(text: string): ToolWindow | null {
  const window = JSON.parse(text) as ToolWindow
  const isWhole =
    typeof window.session === 'string' &&
    typeof window.agent === 'string' &&
    typeof window.openedAt === 'number' &&
    [window.model, window.path, window.call].every(it => it === null || typeof it === 'string') &&
    (window.closedAt === null || typeof window.closedAt === 'number') &&
    ['write', 'exec'].includes(window.kind)
  return isWhole ? window : null
}
