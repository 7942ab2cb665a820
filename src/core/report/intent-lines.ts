import type { Criterion, Intent } from '../intents/intent.ts'
import { standingText } from '../rules/chores.ts'
import type { Session } from '../intents/session.ts'
import { localTime, momentText } from './local-time.ts'
import { shortSession } from './short-id.ts'

/** An intent as lines of text. */
export function intentLines(intent: Intent): string[] {
  return [
    `${intent.id}  ${intent.status}  ${intent.name}`,
    ...labelledLines('description', intent.description === '' ? [] : [intent.description]),
    ...labelledLines('scope', intent.owned_scope),
    ...labelledLines('constraints', intent.constraints),
    ...labelledLines('criteria', intent.acceptance_criteria.map(criterionText)),
    ...labelledLines('non-goals', intent.non_goals),
    ...labelledLines(
      'specs',
      intent.related_specs.map(it => `${it.type}: ${it.url}`),
    ),
    ...labelledLines('depends on', intent.depends_on),
    ...labelledLines('kind', intent.kind === undefined ? [] : [intent.kind]),
    ...labelledLines('standing', standingText(intent)),
    ...labelledLines('appetite', [intent.appetite]),
    ...labelledLines('created', intent.created_at === null ? [] : [localTime(intent.created_at).day]),
  ]
}

const LABEL_WIDTH = 13

function labelledLines(label: string, items: readonly string[]): string[] {
  return items.map((it, n) => `  ${(n === 0 ? label : '').padEnd(LABEL_WIDTH)}${it}`)
}

function criterionText(criterion: Criterion): string {
  return typeof criterion === 'string' ? criterion : `$ ${criterion.cmd}`
}

/** A session, as a line below its intent. */
export function intentSessionLine({ id, agent, claimedAt }: Session, now: number): string {
  const label = 'session'.padEnd(LABEL_WIDTH)
  return `  ${label}${shortSession(id)} of ${agent ?? 'a person'} since ${momentText(claimedAt, now)}`
}
