import type { ContractConstraint } from '../intents/contract/intent-contract.ts'
import type { Finding } from '../base/finding.ts'
import type { Appetites } from '../intents/config.ts'
import type { Intent } from '../intents/intent.ts'
import { plural, printable } from '../base/printable.ts'

/** How much the work on an intent may change, and who says so. */
export type SizeLimit = { readonly unit: 'file' | 'line'; readonly count: number; readonly by: string }

/** The size of what commits change: paths, and lines added and removed. */
export type ChangeSize = { readonly files: number; readonly lines: number }

/** The limits of the work on an intent: those of its appetite by the config, and its constraints that are sizes. */
export function sizeLimits(
  { appetite }: Pick<Intent, 'appetite'>,
  appetites: Appetites,
  constraints: readonly ContractConstraint[],
): SizeLimit[] {
  const { files, lines } = appetites[appetite] ?? {}
  const by = `appetite ${appetite}`
  return [
    ...(files === undefined ? [] : [{ unit: 'file', count: files, by } as const]),
    ...(lines === undefined ? [] : [{ unit: 'line', count: lines, by } as const]),
    ...constraints.flatMap(({ rule, text, source }): SizeLimit[] => {
      if (rule?.kind !== 'files-max' && rule?.kind !== 'lines-max') return []
      const place = source.line === null ? source.file : `${source.file}:${source.line}`
      const unit = rule.kind === 'files-max' ? 'file' : 'line'
      return [{ unit, count: rule.count, by: `${printable(text)} (${place})` }]
    }),
  ]
}

/** For review: the commits of an intent change more than its limits allow. */
export function changeSizeFindings(id: string, limits: readonly SizeLimit[], size: ChangeSize): Finding[] {
  return limits
    .map(it => ({ ...it, changed: it.unit === 'file' ? size.files : size.lines }))
    .filter(({ changed, count }) => changed > count)
    .map(({ unit, count, by, changed }) => ({
      rule: 'change-size',
      level: 'review',
      path: null,
      message: `${id} changes ${plural(changed, unit)}, and at most ${count} are wanted: ${by}`,
      hint: "Look at whether all of it belongs to this intent. Another one: `kotef intent add --name 'the rest'`",
    }))
}
