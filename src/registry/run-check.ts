import { stripVTControlCharacters } from 'node:util'
import type { Criterion } from '../intents/intent.ts'
import { type CommandResult, runShellCommand } from '../io/process/run.ts'
import type { Workspace } from '../worktree/workspace.ts'

/** A criterion with a command that decides it. */
export type CommandCheck = Exclude<Criterion, string>

/** The result of a check. Only the exit code 0 meets the criterion. */
export type CommandCheckResult = CommandResult & { readonly met: boolean; readonly why: string }

/** Runs a check in the worktree, with uncommitted changes. `printed` takes what it prints, as it comes. */
export async function runCheck(
  { root }: Pick<Workspace, 'root'>,
  { cmd, timeout = CHECK_SECONDS_MAX }: CommandCheck,
  { env, printed }: { readonly env: NodeJS.ProcessEnv; readonly printed?: (text: string) => void },
): Promise<CommandCheckResult> {
  const options = { cwd: root, env: checkEnv(env), timeoutMs: timeout * 1000, ...(printed && { printed }) }
  const { exit, timedOut, tail } = await runShellCommand(cmd, options)
  if (exit === 0) return { exit, timedOut, tail, met: true, why: 'passed' }
  const how = timedOut ? `stopped after ${timeout} s` : `ended with ${exit ?? 'no exit code'}`
  return { exit, timedOut, tail, met: false, why: tail === '' ? how : `${how}:\n${lastLines(tail)}` }
}

/** The environment of a check: without the variables that give git another index, repository, author or time. */
export function checkEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
}

// A check without a limit of its own may be a whole test suite.
const CHECK_SECONDS_MAX = 600

function lastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split('\n').slice(-10)
  return lines.map(it => `    ${it}`).join('\n')
}
