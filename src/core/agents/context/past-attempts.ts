import type { LedgerEvent } from '../../ledger/event.ts'
import type { TraceRecord } from '../../ledger/record.ts'
import type { AgentRun } from '../../runs/agent-run.ts'
import type { RunState } from '../../runs/run-state.ts'
import type { Attempt } from './facts.ts'

/** The checks that were run for an intent, oldest first; one that came out the same again is one entry. */
export function pastChecks(records: readonly TraceRecord[]): Attempt[] {
  const merged: { at: string; run: CheckRun; times: number }[] = []
  for (const { timestamp: at, metadata } of records) {
    const run = metadata['dev.kotef']
    if (run.event !== 'check-run' || run.kept) continue
    const last = merged.at(-1)
    if (last && resultOf(last.run) === resultOf(run)) Object.assign(last, { at, times: last.times + 1 })
    else merged.push({ at, run, times: 1 })
  }
  return merged.map(({ at, run, times }) => ({
    at,
    kind: 'check',
    text: resultOf(run),
    about: { times: timesOf(times) },
  }))
}

type CheckRun = Extract<LedgerEvent, { readonly event: 'check-run' }>

function resultOf({ command, exit, timed_out, status }: CheckRun): string {
  const known = status ?? (timed_out ? 'timeout' : exit === 0 ? 'passed' : 'failed')
  return `${command}: ${known}`
}

/**
 * How other sessions got on with an intent: how each run ended and why, and the commands that it ran last. All of it is
 * in words that a report may have, without the text of any argument or output.
 */
export function pastRuns(runs: readonly AgentRun[], own: { intent: string; session: string | null }): Attempt[] {
  return runs
    .filter(({ terms }) => terms.intent === own.intent && terms.session !== own.session)
    .map(({ terms, state }) => {
      const { end, startedAt } = state
      const why = end === null ? 'not ended' : `${end.status}, rule ${end.rule}: ${end.evidence}`
      const at = new Date(end?.at ?? startedAt ?? 0).toISOString()
      const about = { session: terms.session, commands: commandsOf(state) || null }
      return { at, kind: 'run', text: why, about }
    })
}

// The calls since the run last got on, the latest one, and what still failed. A signature means nothing to a reader.
function commandsOf({ calls, failures, lastTest, sameCall }: RunState): string {
  const last = [lastTest, sameCall].filter(it => it !== null)
  const failed = Object.values(failures).map(({ what }) => ({ what, ended: 'failed' }))
  const words = new Map(
    [...failed, ...calls, ...last].map(({ what, ended }) => [what, ended.replace(/, signature.*/, '')]),
  )
  return [...words]
    .slice(-COMMANDS_MAX)
    .map(([what, ended]) => `${what} (${ended})`)
    .join('; ')
}

const COMMANDS_MAX = 8

const timesOf = (times: number): string | null => (times === 1 ? null : `×${times}`)
