import type { StartedIntent } from '../../../world/lifecycle/start-intent.ts'
import { printable } from '../../../core/base/printable.ts'
import { elsewhereText, TAKEN_BECAUSE, watcherLine } from '../../../core/report/claim-line.ts'
import { overlapLine } from './scope-remarks.ts'

/** A session that was started, as lines. */
export function startedLines(started: StartedIntent, now: number): string[] {
  const { intent, session, ended, claim, stolen, overlaps, elsewhere, watcher } = started
  const who = session.agent ?? 'You'
  return [
    `${who} started ${intent.id}: ${intent.name}`,
    ...ended.map(it => `  The session on ${it.intent} ended; the status of ${it.intent} did not change.`),
    ...(stolen ? [`  Took the claim from session ${printable(stolen.from)}: ${TAKEN_BECAUSE[stolen.why]}.`] : []),
    ...(claim === 'shared' ? ['  Another session holds the claim; both may work.'] : []),
    ...(intent.owned_scope.length === 0 ? ['  Its scope is empty: every change will be outside it.'] : []),
    ...overlaps.map(overlapLine),
    ...elsewhere.map(it => `  It is also held in ${elsewhereText(it, now)}`),
    ...(watcher === null ? [] : [`  ${watcherLine(watcher)}`]),
  ]
}
