import type { CheckStatus } from '../contract/check-result.ts'
import { plural, printable } from '../text/printable.ts'

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
}

/** The results of an intent's checks, a line each, and what they say together. */
export function checkLines({ intent, passed, results, manual }: CheckReport): string[] {
  if (results.length === 0)
    return [
      `${intent} has no check, so nothing says that it is done.`,
      `  Add one: \`kotef intent edit ${intent} --check 'npm test'\``,
      ...manual.map(manualLine),
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
    ...manual.map(manualLine),
  ]
}

function manualLine(criterion: string): string {
  return `  person   ${printable(criterion)}  (attested at \`kotef intent complete\`)`
}
