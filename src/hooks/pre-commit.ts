import type { Finding } from '../report/finding.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import type { State } from '../scope/state.ts'
import { stagedFacts } from './facts.ts'
import type { Place } from './place.ts'

/** Refuses what no message could make right. */
export function preCommit(place: Place, state: State): Finding[] {
  return judgeStaged(stagedFacts(place, state))
}
