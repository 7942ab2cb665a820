import { join } from 'node:path'
import { isExpiredWindow, type ToolWindow } from '../attribution/tool-window.ts'
import { fileNameFor } from '../io/files/file-name.ts'
import type { Workspace } from '../worktree/workspace.ts'

// Agents' hooks are on an agent's way with every call of a tool, so nothing is loaded here that checks shapes.

/** What it takes to keep windows; a whole workspace will do. */
export type ActivityStore = Pick<Workspace, 'gitDir' | 'files' | 'clock'>

/** A window's name: its session, and the lane in which one call follows the other. */
type WindowKey = Pick<ToolWindow, 'session'> & { readonly lane: string }

/** Opens a window; the one before it in its lane is over. */
export async function openWindow(
  store: ActivityStore,
  { lane, ...window }: Omit<ToolWindow, 'openedAt' | 'closedAt' | 'host'> & WindowKey,
): Promise<void> {
  const path = windowPath(store, { session: window.session, lane })
  // By the clock that stamps files, which runs behind the other: what is stamped from here on was written from here on.
  await store.files.put(path, '')
  const openedAt = (await store.files.modifiedAt(path)) ?? store.clock.now()
  await saveWindow(store, path, { ...window, openedAt, closedAt: null, host: store.clock.host })
}

/** Nothing that is written from now on came through the window of this call; null when it has none. */
export async function closeWindow(store: ActivityStore, call: WindowKey & Pick<ToolWindow, 'kind' | 'path' | 'call'>) {
  const path = windowPath(store, call)
  const window = await readWindow(store, path)
  const isMatch = window && !isExpiredWindow(window, store.clock.now()) && isOfCall(window, call)
  if (!isMatch) return null
  const closed = { ...window, closedAt: store.clock.now() + 1 }
  await saveWindow(store, path, closed)
  return closed
}

function isOfCall(window: ToolWindow, { kind, path, call }: Pick<ToolWindow, 'kind' | 'path' | 'call'>): boolean {
  return window.kind === kind && window.path === path && window.call === call
}

/** Takes a lane's window away, if there is one. */
export async function dropWindow(store: ActivityStore, lane: WindowKey): Promise<void> {
  await store.files.remove(windowPath(store, lane))
}

/** The windows of a worktree, newest last; those that are stale are taken away. */
export async function readWindows(store: ActivityStore): Promise<ToolWindow[]> {
  const paths = (await store.files.list(windowsFolder(store))).filter(it => it.endsWith('.json'))
  const found: ToolWindow[] = []
  for (const path of paths.map(it => join(windowsFolder(store), it))) {
    const window = await readWindow(store, path)
    if (window && !isExpiredWindow(window, store.clock.now())) found.push(window)
    else await dropStale(store, path)
  }
  return found.sort((one, other) => one.openedAt - other.openedAt)
}

// What can't be read may be a window that is just being opened.
async function dropStale({ files, clock }: ActivityStore, path: string): Promise<void> {
  const since = await files.modifiedAt(path)
  if (since !== null && Math.abs(clock.now() - since) > UNREADABLE_MS_MAX) await files.remove(path)
}

const UNREADABLE_MS_MAX = 60_000

/** A session's windows, but for those of lanes in which work goes on. */
type WindowSelection = Pick<ToolWindow, 'session'> & { readonly busy: readonly string[] }

/** Closes every window of a session that has ended, and says whether there were any. */
export async function closeSessionWindows(store: ActivityStore, selection: WindowSelection): Promise<boolean> {
  const closedAt = store.clock.now() + 1
  const paths = await sessionWindowPaths(store, selection)
  for (const path of paths) {
    const window = await readWindow(store, path)
    if (window) await saveWindow(store, path, { ...window, closedAt: window.closedAt ?? closedAt })
  }
  return paths.length > 0
}

/** Takes every window of a session away that has ended. */
export async function dropSessionWindows(store: ActivityStore, selection: WindowSelection): Promise<void> {
  for (const path of await sessionWindowPaths(store, selection)) await store.files.remove(path)
}

async function sessionWindowPaths(store: ActivityStore, { session, busy }: WindowSelection): Promise<string[]> {
  const kept = busy.map(lane => windowPath(store, { session, lane }))
  const names = await store.files.list(windowsFolder(store))
  const paths = names.filter(it => it.startsWith(`${fileNameFor(session)}.`)).map(it => join(windowsFolder(store), it))
  return paths.filter(it => !kept.includes(it))
}

async function readWindow({ files }: ActivityStore, path: string): Promise<ToolWindow | null> {
  const bytes = await files.read(path)
  try {
    return bytes && parseWindow(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

function parseWindow(value: unknown): ToolWindow | null {
  const window = value as ToolWindow
  const isWhole =
    typeof window.session === 'string' &&
    typeof window.agent === 'string' &&
    typeof window.openedAt === 'number' &&
    [window.model, window.path, window.call].every(it => it === null || typeof it === 'string') &&
    (window.closedAt === null || typeof window.closedAt === 'number') &&
    ['write', 'exec'].includes(window.kind)
  return isWhole ? window : null
}

async function saveWindow({ files }: ActivityStore, path: string, window: ToolWindow): Promise<void> {
  await files.put(path, JSON.stringify(window))
}

function windowPath(store: ActivityStore, { session, lane }: WindowKey): string {
  return join(windowsFolder(store), `${fileNameFor(session)}.${fileNameFor(lane)}.json`)
}

function windowsFolder({ gitDir }: ActivityStore): string {
  return join(gitDir, 'kotef/windows')
}
