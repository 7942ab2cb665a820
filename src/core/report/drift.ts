import { plural, printable } from '../base/printable.ts'
import { shortOid } from './short-id.ts'

/** The commits since a session began. */
export type Drift = {
  /** HEAD's commit when the session began. */
  readonly base: string
  readonly head: string
  /** The number of commits in HEAD and not in the base; null when the base no longer exists. */
  readonly commits: number | null
  /** The paths of the session's intent that differ between base and HEAD. */
  readonly files: readonly string[]
}

/** The commits since a session began, as lines of text. */
export function driftLines({ base, commits, files }: Drift): string[] {
  if (commits === null) return [`drift    the commit ${shortOid(base)} that it began on is no longer there`]
  const shown = files.slice(0, DRIFT_PATHS_MAX).map(it => `  ${printable(it)}`)
  const more = files.length > DRIFT_PATHS_MAX ? [`  … and ${files.length - DRIFT_PATHS_MAX} more`] : []
  const count = plural(commits, 'commit')
  return [
    `drift    ${count} since ${shortOid(base)}${files.length === 0 ? '' : '; changed of what its intent owns:'}`,
    ...shown,
    ...more,
  ]
}

const DRIFT_PATHS_MAX = 20
