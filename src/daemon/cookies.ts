import { join } from 'node:path'
import { COOKIE_PREFIX } from '../worktree/own-writes.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** Files that show whether the watcher is up to date: one is written, and its event is waited for. */
export type Cookies = {
  /** True when the watcher has reported a new cookie; false after `timeoutMs`, or when none can be written. */
  roundTrip(timeoutMs: number): Promise<boolean>
  /** True when a path is a cookie, which is not recorded. */
  consume(path: string): boolean
}

/** The cookies of one worktree, in `.orchestration`, where git ignores them. */
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
