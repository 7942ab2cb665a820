import type { Criterion } from '../intents/intent.ts'
import { type CommandResult, runCommand } from '../io/command.ts'
import { withoutPlaces } from '../io/without-places.ts'
import type { Workspace } from './workspace.ts'

/** A criterion that a command decides. */
export type Check = Exclude<Criterion, string>

/** How a check ended: it is met by the exit code 0, and by nothing else. */
export type CheckResult = Omit<CommandResult, 'tail'> & { readonly met: boolean; readonly why: string }

/** Runs a check in the worktree, as it stands. */
export async function runCheck(
  { root }: Pick<Workspace, 'root'>,
  { cmd, timeout = CHECK_SECONDS }: Check,
  env: NodeJS.ProcessEnv,
): Promise<CheckResult> {
  const around = { cwd: root, env: withoutPlaces(env), timeoutMs: timeout * 1000 }
  const { exit, timedOut, tail } = await runCommand(cmd, around)
  if (exit === 0) return { exit, timedOut, met: true, why: 'passed' }
  const how = timedOut ? `stopped after ${timeout} s` : `ended with ${exit ?? 'no exit code'}`
  return { exit, timedOut, met: false, why: tail === '' ? how : `${how}:\n${lastLines(tail)}` }
}

const CHECK_SECONDS = 600

function lastLines(text: string): string {
  const lines = text.split('\n').slice(-10)
  return lines.map(it => `    ${it}`).join('\n')
}
