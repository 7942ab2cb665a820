import { join } from 'node:path'
import { COOKIE_PREFIX } from '../worktree/own-writes.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Cookies tell whether the watcher has caught up: a file is written, and waited for until the watcher tells of it. */
export type Cookies = {
  /** Resolves true when the watcher has told of a new cookie; false after the time given, or if none can be laid. */
  roundTrip(timeoutMs: number): Promise<boolean>
  /** True when a path is a cookie: it is not recorded. */
  consume(path: string): boolean
}

/** The cookies of one worktree: they lie in .orchestration, where git ignores them. */
export function cookiesIn(workspace: Workspace): Cookies {
  const waiting = new Map<string, (observed: boolean) => void>()
  const roundTrip = async (timeoutMs: number): Promise<boolean> => {
    const path = `${COOKIE_PREFIX}${workspace.clock.uuid()}`
    const observed = new Promise<boolean>(resolve => waiting.set(path, resolve))
    const timer = setTimeout(() => waiting.get(path)?.(false), timeoutMs)
    try {
      await workspace.files.append(join(workspace.root, path), Buffer.from('\n'))
      return await observed
    } catch {
      return false
    } finally {
      clearTimeout(timer)
      waiting.delete(path)
      await workspace.files.remove(join(workspace.root, path))
    }
  }
  const consume = (path: string): boolean => {
    waiting.get(path)?.(true)
    return path.startsWith(COOKIE_PREFIX)
  }
  return { roundTrip, consume }
}
