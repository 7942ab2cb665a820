import { stripVTControlCharacters } from 'node:util'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandCheck } from '../../core/intents/intent.ts'
import { type CommandResult, runShellCommand } from '../io/process/run.ts'
import { safe, type SafeText } from '../../core/outgoing/safe-text.ts'
import type { Workspace } from '../io/worktree/workspace.ts'

/**
 * The result of a check. Only the exit code 0 meets the criterion. `how` is how it ended; `why` has its last lines as
 * well, for the caller's own terminal.
 */
export type CommandCheckResult = CommandResult & {
  readonly met: boolean
  readonly how: SafeText
  readonly why: string
}

/** Runs a check in the worktree, with uncommitted changes. `printed` takes what it prints, as it comes. */
export async function runCheck(
  { root }: Pick<Workspace, 'root'>,
  check: CommandCheck,
  { env, printed }: { readonly env: NodeJS.ProcessEnv; readonly printed?: (text: string) => void },
): Promise<CommandCheckResult> {
  const { cmd, timeout = CHECK_SECONDS_MAX, cwd = '.' } = check
  const folder = join(root, cwd)
  if (!(await stat(folder).catch(() => null))?.isDirectory()) return { ...NO_FOLDER, why: `there is no folder ${cwd}` }
  const around = { cwd: folder, env: checkEnv(env, check), timeoutMs: timeout * 1000 }
  const options = { ...around, ...(printed && { printed }) }
  const { exit, timedOut, tail } = await runShellCommand(cmd, options)
  if (exit === 0) return { exit, timedOut, tail, met: true, how: safe`passed`, why: 'passed' }
  const code = exit === null ? safe`ended with no exit code` : safe`ended with ${exit}`
  const how = timedOut ? safe`stopped after ${timeout} s` : code
  return { exit, timedOut, tail, met: false, how, why: tail === '' ? how : `${how}:\n${lastLines(tail)}` }
}

const NO_FOLDER = { exit: null, timedOut: false, tail: '', met: false, how: safe`its folder is missing` }

/**
 * The environment of a check: the variables that it names and those of a login, or all; without those that give git
 * another index, repository, author or time.
 */
export function checkEnv(env: NodeJS.ProcessEnv, { env: named }: Pick<CommandCheck, 'env'>): NodeJS.ProcessEnv {
  const isGiven = (name: string): boolean => named === undefined || named.includes(name) || OF_A_LOGIN.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_') && isGiven(name)))
}

const OF_A_LOGIN = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TERM|TMPDIR|SystemRoot)$/

// A check without a limit of its own may be a whole test suite.
const CHECK_SECONDS_MAX = 600

function lastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n').slice(-10)
  return lines.map(it => `    ${it}`).join('\n')
}
