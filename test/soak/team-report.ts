import type { TeamTally, Trouble } from './team-world.ts'

/** What was counted, as one JSON value. */
export function teamJson(tally: TeamTally) {
  const [requests, landings] = [Object.fromEntries(tally.requests), Object.fromEntries(tally.landings)]
  return { ...tally, requests, landings, failed: hasFailed(tally) }
}

/** True when kotef refused what is honest, or main was red after a green request, or the days ended early. */
export function hasFailed({ wrong, redRequests, redMains, broken }: TeamTally): boolean {
  return wrong.length + redRequests.length + redMains.length > 0 || broken !== null
}

/** What was counted, as the lines of a table; then each fault with what kotef printed. */
export function teamLines(tally: TeamTally): string[] {
  const landings = [...tally.landings].toSorted().map(([way, count]) => `${count} by ${way}`)
  const rows: readonly (readonly [string, number])[] = [
    ...tally.requests,
    ['requests', sumOf(tally.requests)],
    [`landed: ${landings.join(', ')}`, sumOf(tally.landings)],
    ['commits', tally.commits],
    ['conflicts of backports, settled', tally.settled],
    ['refused, rightly: one id for two intents', tally.expected.length],
    ['main red, rightly: a stray file pushed past all hooks', tally.strayMains],
    ['refused wrongly by a hook, a push or a command', tally.wrong.length],
    ['requests red', tally.redRequests.length],
    ['mains red after a green request', tally.redMains.length],
    ['dead ends: what kotef prints is not the way out', tally.deadEnds.length],
  ]
  const { wrong, redRequests, redMains, deadEnds } = tally
  const faults = [...wrong, ...redRequests, ...redMains, ...deadEnds]
  const lines = rows.map(([what, count]) => `${String(count).padStart(6)}  ${what}`)
  const early = tally.broken === null ? [] : [`The days ended early: ${tally.broken}`]
  return [...lines, ...faults.flatMap(faultLines), ...early]
}

function faultLines({ request, kind, what, text }: Trouble): string[] {
  return [`#${request} (${kind}): ${what}`, ...text.split('\n').map(it => `    ${it}`)]
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, it) => sum + it, 0)
}
