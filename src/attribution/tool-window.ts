/** What an agent said that it is about to do, and may be doing since. Times are milliseconds since 1970. */
export type ToolWindow = {
  readonly session: string
  readonly agent: string
  readonly model: string | null
  readonly kind: 'write' | 'exec'
  /** The one path that it is about to write; null for a command, which may write any. */
  readonly path: string | null
  readonly call: string | null
  readonly openedAt: number
  /** When the agent said that it is done; null until then. */
  readonly closedAt: number | null
  readonly host: string
}

/** A write as far as windows are concerned. */
export type TimedWrite = {
  readonly path: string
  /** When the file came to be as it is, by the clock that stamps files. */
  readonly at: number
}

/** The windows that a write may have come through. */
export function windowsAt(windows: readonly ToolWindow[], { path, at }: TimedWrite): ToolWindow[] {
  const isOpen = (it: ToolWindow): boolean => it.openedAt <= at && at <= (it.closedAt ?? Infinity)
  return windows.filter(it => isOpen(it) && (it.kind === 'exec' || it.path === path))
}

/** True for a window whose end was lost: a tool that was refused, or an agent that was killed, tells of none. */
export function isExpiredWindow({ kind, openedAt }: ToolWindow, now: number): boolean {
  return Math.abs(now - openedAt) > (kind === 'exec' ? EXEC_MS_MAX : WRITE_MS_MAX)
}

// A write takes no time, unless a person is asked first. What is told of later than this can be claimed still.
const WRITE_MS_MAX = 60_000
const EXEC_MS_MAX = 3_600_000
