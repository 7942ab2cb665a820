import { join } from 'node:path'
import { isStale, type Window } from '../attribution/window.ts'
import { fileNameFor } from '../io/file-name.ts'
import type { Workspace } from './workspace.ts'

// Agents' hooks are on an agent's way with every call of a tool, so nothing is loaded here that checks shapes.

/** What it takes to keep windows; a whole workspace will do. */
export type Place = Pick<Workspace, 'gitDir' | 'files' | 'clock'>

/** A window's name: its session, and the lane in which one call follows the other. */
type Lane = Pick<Window, 'session'> & { readonly lane: string }

/** Opens a window; the one before it in its lane is over. */
export async function openWindow(
  place: Place,
  { lane, ...window }: Omit<Window, 'openedAt' | 'closedAt' | 'host'> & Lane,
): Promise<void> {
  const path = pathOf(place, { session: window.session, lane })
  // By the clock that stamps files, which runs behind the other: what is stamped from here on was written from here on.
  await place.files.put(path, '')
  const openedAt = (await place.files.modifiedAt(path)) ?? place.clock.now()
  await save(place, path, { ...window, openedAt, closedAt: null, host: place.clock.host })
}

/** Nothing that is written from now on came through the window of this call; null when it has none. */
export async function closeWindow(place: Place, call: Lane & Pick<Window, 'kind' | 'path' | 'call'>) {
  const path = pathOf(place, call)
  const window = await windowAt(place, path)
  const isIt = window && !isStale(window, place.clock.now()) && isOf(window, call)
  if (!isIt) return null
  const closed = { ...window, closedAt: place.clock.now() + 1 }
  await save(place, path, closed)
  return closed
}

function isOf(window: Window, { kind, path, call }: Pick<Window, 'kind' | 'path' | 'call'>): boolean {
  return window.kind === kind && window.path === path && window.call === call
}

/** Takes a lane's window away, if there is one. */
export async function dropWindow(place: Place, lane: Lane): Promise<void> {
  await place.files.remove(pathOf(place, lane))
}

/** The windows of a worktree, newest last; those that are stale are taken away. */
export async function openWindows(place: Place): Promise<Window[]> {
  const paths = (await place.files.list(folderOf(place))).filter(it => it.endsWith('.json'))
  const found: Window[] = []
  for (const path of paths.map(it => join(folderOf(place), it))) {
    const window = await windowAt(place, path)
    if (window && !isStale(window, place.clock.now())) found.push(window)
    else await dropStale(place, path)
  }
  return found.sort((one, other) => one.openedAt - other.openedAt)
}

// What can't be read may be a window that is just being opened.
async function dropStale({ files, clock }: Place, path: string): Promise<void> {
  const since = await files.modifiedAt(path)
  if (since !== null && Math.abs(clock.now() - since) > UNREAD_MS_MAX) await files.remove(path)
}

const UNREAD_MS_MAX = 60_000

/** A session's windows, but for those of lanes in which work goes on. */
type Ended = Pick<Window, 'session'> & { readonly busy: readonly string[] }

/** Closes every window of a session that has ended, and says whether there were any. */
export async function closeWindowsOf(place: Place, ended: Ended): Promise<boolean> {
  const closedAt = place.clock.now() + 1
  const paths = await pathsOf(place, ended)
  for (const path of paths) {
    const window = await windowAt(place, path)
    if (window) await save(place, path, { ...window, closedAt: window.closedAt ?? closedAt })
  }
  return paths.length > 0
}

/** Takes every window of a session away that has ended. */
export async function dropWindowsOf(place: Place, ended: Ended): Promise<void> {
  for (const path of await pathsOf(place, ended)) await place.files.remove(path)
}

async function pathsOf(place: Place, { session, busy }: Ended): Promise<string[]> {
  const kept = busy.map(lane => pathOf(place, { session, lane }))
  const names = await place.files.list(folderOf(place))
  const paths = names.filter(it => it.startsWith(`${fileNameFor(session)}.`)).map(it => join(folderOf(place), it))
  return paths.filter(it => !kept.includes(it))
}

async function windowAt({ files }: Place, path: string): Promise<Window | null> {
  const bytes = await files.read(path)
  try {
    return bytes && windowIn(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

function windowIn(value: unknown): Window | null {
  const window = value as Window
  const isWhole =
    typeof window.session === 'string' &&
    typeof window.agent === 'string' &&
    typeof window.openedAt === 'number' &&
    [window.model, window.path, window.call].every(it => it === null || typeof it === 'string') &&
    (window.closedAt === null || typeof window.closedAt === 'number') &&
    ['write', 'exec'].includes(window.kind)
  return isWhole ? window : null
}

async function save({ files }: Place, path: string, window: Window): Promise<void> {
  await files.put(path, JSON.stringify(window))
}

function pathOf(place: Place, { session, lane }: Lane): string {
  return join(folderOf(place), `${fileNameFor(session)}.${fileNameFor(lane)}.json`)
}

function folderOf({ gitDir }: Place): string {
  return join(gitDir, 'kotef/windows')
}
