import { plural } from '../text/plural.ts'
import { printable } from '../text/printable.ts'

/** What was committed since a session began. */
export type Drift = {
  /** The commit that it began on. */
  readonly base: string
  readonly head: string
  /** How many commits HEAD has that the base has not; null when the base is no longer there. */
  readonly commits: number | null
  /** The paths of its intent that differ between the two. */
  readonly files: readonly string[]
}

/** How far HEAD has moved since a session began, as lines. */
export function driftLines({ base, commits, files }: Drift): string[] {
  if (commits === null) return [`drift    the commit ${base} that it began on is no longer there`]
  const shown = files.slice(0, DRIFT_PATHS_MAX).map(it => `  ${printable(it)}`)
  const more = files.length > DRIFT_PATHS_MAX ? [`  … and ${files.length - DRIFT_PATHS_MAX} more`] : []
  const count = plural(commits, 'commit')
  return [
    `drift    ${count} since ${base}${files.length === 0 ? '' : '; changed of what its intent owns:'}`,
    ...shown,
    ...more,
  ]
}

const DRIFT_PATHS_MAX = 20
