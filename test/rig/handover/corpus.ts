import type { IllegalRow } from './corpus-rows.ts'
import { lackingArtifacts } from './illegal-artifacts.ts'
import { illegalCorrections } from './illegal-corrections.ts'
import { illegalDecisions } from './illegal-decisions.ts'
import { illegalForms } from './illegal-forms.ts'
import { illegalEnds, illegalTaskChanges, illegalTransitions } from './illegal-steps.ts'

/** Changes of sessions that break a rule, each rule in several ways. */
export const illegalChanges: readonly IllegalRow[] = [
  ...[...illegalForms, ...lackingArtifacts, ...illegalDecisions, ...illegalCorrections],
  ...[...illegalTransitions, ...illegalTaskChanges, ...illegalEnds],
]
