import { escapeInvisible, printable, shellQuoted } from '../base/printable.ts'

/** The run of an agent that was stopped, and waits for a person. */
export type StoppedRun = {
  readonly session: string
  /** The agent's name; null when the session is not known any more. */
  readonly agent: string | null
  readonly intent: string
  readonly status: string
  readonly rule: string
  /** What the rule saw. */
  readonly evidence: string
  /** When it was stopped, as ISO 8601. */
  readonly at: string
  /** True while the session is live, and gets a person's next message. */
  readonly isLive: boolean
}

/** Why a run was stopped: `Bash: npm test failed 4 times with the same error (same-error)`. */
export function stopReason({ evidence, rule }: Pick<StoppedRun, 'evidence' | 'rule'>): string {
  return `${escapeInvisible(evidence)} (${rule})`
}

/** How a person goes on after a stop. */
export function wayAfterStop({ isLive }: Pick<StoppedRun, 'isLive'>): string {
  return isLive
    ? 'Write to it how to go on: your next message begins a new run'
    : 'Its session is over: resume it, or start another one'
}

/** The command that shows what a stopped run did. */
export function showRunCommand({ session }: Pick<StoppedRun, 'session'>): string {
  return `kotef runs show ${shellQuoted(session.slice(0, 8))}`
}

/** The lines of stopped runs in a status. */
export function stoppedRunLines(runs: readonly StoppedRun[]): string[] {
  return runs.flatMap(it => [
    `stopped  ${printable(it.agent ?? 'an agent')} on ${printable(it.intent)}: ${stopReason(it)}`,
    `         ${wayAfterStop(it)}: \`${showRunCommand(it)}\``,
  ])
}
