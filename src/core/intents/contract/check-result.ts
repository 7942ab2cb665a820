import { sha256Hex } from '../../base/sha256.ts'

/**
 * How a check ended: by its exit code, at its time limit, by an error (it could not start, or a signal ended it), or
 * void because the tree that it ran on moved meanwhile (`stale`).
 */
export type CheckStatus = 'passed' | 'failed' | 'timeout' | 'error' | 'stale'

type EndedCheck = {
  /** Null when the command was ended by a signal or could not be started. */
  readonly exit: number | null
  readonly timedOut: boolean
  readonly hasTreeMoved: boolean
}

/** The status of a check that has ended. Nothing is said about a tree that moved, neither good nor bad. */
export function checkStatus({ exit, timedOut, hasTreeMoved }: EndedCheck): CheckStatus {
  if (hasTreeMoved) return 'stale'
  if (timedOut) return 'timeout'
  if (exit === 0) return 'passed'
  // A shell's own codes for a command that it can't run, or does not find (POSIX, 2.8.2).
  return exit === null || exit === 126 || exit === 127 ? 'error' : 'failed'
}

/** What a check's result depends on. A lock file that git does not ignore is part of the tree. */
type CheckInput = {
  readonly command: string
  readonly cwd: string
  /** The tree id of the worktree, or of its inputs. */
  readonly tree: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly machine: string
  /** Of this clone, so that nobody finds the value of a variable by trying. */
  readonly salt: string
}

/** The key under which a pass is kept: equal for the same command, tree, environment and machine. */
export function passKey({ command, cwd, tree, env, machine, salt }: CheckInput): string {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !OF_A_TERMINAL.test(name))
  const sorted = kept.sort(([one], [other]) => (one < other ? -1 : 1))
  return sha256Hex(JSON.stringify([FORMAT, command, cwd, tree, sorted, machine, salt]))
}

// They name a shell, its window and its folder, and change without a reason that a check would notice.
const OF_A_TERMINAL =
  /^(?:_|(?:OLD)?PWD|SHLVL|(?:TERM|TMUX|SSH_|XDG_SESSION_|DBUS_).*|COLUMNS|LINES|WINDOWID|STY|GPG_TTY)$/

// A pass that another version kept is not read.
const FORMAT = 3

/** A pass of a check, and when it was seen (milliseconds since 1970). */
export type CheckPass = { readonly key: string; readonly at: number }

/** The passes in a file; null for another shape. Throws for a text that is not JSON. */
export function parsePasses(text: string): readonly CheckPass[] | null {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) && value.every(isPass) ? value : null
}

function isPass(value: unknown): value is CheckPass {
  const { key, at } = (value ?? {}) as Partial<CheckPass>
  return typeof key === 'string' && typeof at === 'number'
}

/** What checks say together: passed only when there is one, and each has passed. */
export function allPassed(results: readonly { readonly status: CheckStatus }[]): boolean {
  return results.length > 0 && results.every(it => it.status === 'passed')
}
