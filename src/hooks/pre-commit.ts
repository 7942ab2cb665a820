import type { Finding } from '../report/finding.ts'
import { judgeStaged } from '../rules/judge-staged.ts'
import { stagedFacts } from './facts.ts'
import type { Place } from './place.ts'
import { currentState } from './state.ts'

/** Refuses what no message could make right. */
export function preCommit(place: Place): Finding[] {
  return judgeStaged(stagedFacts(place, currentState(place)))
}
