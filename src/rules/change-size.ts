import type { IntentContract } from '../contract/intent-contract.ts'
import type { Finding } from '../findings/finding.ts'
import type { Appetites } from '../intents/config.ts'
import { plural, printable } from '../text/printable.ts'

/** How much the work on an intent may change, and who says so. */
type SizeLimit = { readonly unit: 'file' | 'line'; readonly count: number; readonly by: string }

/** The size of what the commits of an intent change: paths, and lines added and removed. */
export type ChangeSize = { readonly files: number; readonly lines: number }

/** For review: the commits of an intent change more than its contract, or the config for its appetite, allows. */
export function changeSizeFindings(contract: IntentContract, appetites: Appetites, size: ChangeSize): Finding[] {
  return sizeLimits(contract, appetites)
    .map(it => ({ ...it, changed: it.unit === 'file' ? size.files : size.lines }))
    .filter(({ changed, count }) => changed > count)
    .map(({ unit, count, by, changed }) => ({
      ...{ rule: 'change-size', level: 'review', path: null },
      message: `${contract.intent} changes ${plural(changed, unit)}, and at most ${count} are wanted: ${by}`,
      hint: "Look at whether all of it belongs to this intent. Another one: `kotef intent add --name 'the rest'`",
    }))
}

/** True when an intent's work has a limit. */
export function hasSizeLimit(contract: IntentContract, appetites: Appetites): boolean {
  return sizeLimits(contract, appetites).length > 0
}

function sizeLimits({ appetite, constraints }: IntentContract, appetites: Appetites): SizeLimit[] {
  const { files, lines } = appetites[appetite] ?? {}
  const by = `appetite ${appetite}`
  return [
    ...(files === undefined ? [] : [{ unit: 'file', count: files, by } as const]),
    ...(lines === undefined ? [] : [{ unit: 'line', count: lines, by } as const]),
    ...constraints.flatMap(({ rule, text, source }): SizeLimit[] => {
      if (rule?.kind !== 'files-max' && rule?.kind !== 'lines-max') return []
      const place = source.line === null ? source.file : `${source.file}:${source.line}`
      return [
        { unit: rule.kind === 'files-max' ? 'file' : 'line', count: rule.count, by: `${printable(text)} (${place})` },
      ]
    }),
  ]
}
