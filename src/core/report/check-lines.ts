import type { CheckStatus } from '../intents/contract/check-result.ts'
import { plural, printable } from '../base/printable.ts'

type CheckReport = {
  readonly intent: string
  readonly passed: boolean
  readonly results: readonly {
    readonly command: string
    readonly status: CheckStatus
    readonly seconds: number | null
    readonly keptSince: string | null
    readonly inputs: readonly string[] | null
    readonly why: string
  }[]
  /** Criteria that a person attests. */
  readonly manual: readonly string[]
  /** Those that a person has attested on the same files. */
  readonly attested: readonly string[]
}

/** The results of an intent's checks, a line each, and what they say together. */
export function checkLines({ intent, passed, results, manual, attested }: CheckReport): string[] {
  const people = manual.map(it => manualLine(it, attested.includes(it) ? null : intent))
  if (results.length === 0)
    return [
      `${intent} has no check, so nothing says that it is done.`,
      `  Add one: \`kotef intent edit ${intent} --check 'npm test'\``,
      ...people,
    ]
  const count = plural(results.length, 'check')
  const failed = results.filter(it => it.status !== 'passed').length
  return [
    passed ? `${intent}: ${count} passed.` : `${intent}: ${failed} of ${count} did not pass.`,
    ...results.map(({ command, status, seconds, keptSince, inputs, why }) => {
      const time = seconds === null ? `these files passed at ${keptSince}` : `${seconds.toFixed(1)} s`
      const when = inputs === null ? time : `${time}, of ${printable(inputs.join(' '))} only`
      const reason = status === 'passed' ? '' : `: ${why}`
      return `  ${status.padEnd(7)}  ${printable(command)}  (${when})${reason}`
    }),
    ...people,
  ]
}

// `intent` is the one for which it is still to be attested.
function manualLine(criterion: string, intent: string | null): string {
  const state = intent === null ? 'attested on these files' : `attest it: \`kotef attest ${intent}\``
  return `  person   ${printable(criterion)}  (${state})`
}
