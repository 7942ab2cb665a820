import { EXECUTE_WINDOW_MS_MAX, WRITE_WINDOW_MS_MAX } from '../base/thresholds.ts'

/** A tool call of an agent that began, and may still run. Times are milliseconds since 1970. */
export type ToolWindow = {
  readonly session: string
  readonly agent: string
  readonly model: string | null
  readonly kind: 'write' | 'exec'
  /** The path that it is going to write; null for a command, which may write any path. */
  readonly path: string | null
  readonly call: string | null
  readonly openedAt: number
  /** When the agent reported its end; null until then. */
  readonly closedAt: number | null
  readonly host: string
  /** The process of the agent, as far as it is visible; absent for a write, and where it is not known. */
  readonly pid?: number | null
  /** The control group of the agent; absent where it is not known. */
  readonly group?: string | null
  /** The process that started the hook which reported the begin; absent where it is not known. */
  readonly starter?: { readonly pid: number; readonly command: string }
  /**
   * The process that reported the end of the call, where it may be a command of the call itself: a command can report
   * what it likes. The call runs on as long as that process does.
   */
  readonly endedIn?: { readonly pid: number; readonly started: string } | null
}

/** A write, to find its windows. */
export type TimedWrite = {
  readonly path: string
  /** When the file got its content, by the clock of the file system. */
  readonly at: number
}

/** The windows during which a write may have happened. */
export function windowsAt(windows: readonly ToolWindow[], { path, at }: TimedWrite): ToolWindow[] {
  const isOpen = (it: ToolWindow): boolean => it.openedAt <= at && at <= (it.closedAt ?? Infinity)
  return windows.filter(it => isOpen(it) && (it.kind === 'exec' || it.path === path))
}

/** The windows of two looks; of a call, what the later one says. The next call of a lane hides the one before. */
export function joinWindows(earlier: readonly ToolWindow[], later: readonly ToolWindow[]): ToolWindow[] {
  const byCall = new Map([...earlier, ...later].map(it => [`${it.openedAt} ${it.session} ${it.kind} ${it.path}`, it]))
  return [...byCall.values()].sort((one, other) => one.openedAt - other.openedAt)
}

/** True when no tool call ran at a time. */
export function isIdleAt(windows: readonly ToolWindow[], at: number): boolean {
  return windows.every(it => at < it.openedAt || (it.closedAt !== null && it.closedAt < at))
}

/** True for a window that stayed open too long: a refused tool call or a killed agent never reports its end. */
export function isExpiredWindow({ kind, openedAt }: ToolWindow, now: number): boolean {
  return Math.abs(now - openedAt) > (kind === 'exec' ? EXECUTE_WINDOW_MS_MAX : WRITE_WINDOW_MS_MAX)
}
