import { findIntent } from '../../intents/find-intent.ts'
import type { Criterion, Intent } from '../../intents/intent.ts'
import type { Session } from '../../intents/session.ts'
import { loadRegistry } from '../../policy/load-policy.ts'
import { liveSessions } from '../../sessions/live-sessions.ts'
import { openWorkspace } from '../../worktree/workspace.ts'
import { firstArgument } from '../options.ts'
import type { RunVerb } from '../verb.ts'

/** `kotef intent show`: one intent, with the sessions that live on it in this worktree. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const intent = findIntent(intents, firstArgument(call))
  const sessions = (await liveSessions(workspace)).filter(it => it.intent === intent.id)
  return { text: [...intentLines(intent), ...sessions.map(intentSessionLine)].join('\n'), json: { intent, sessions } }
}

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
    ...labelledLines('appetite', [intent.appetite]),
    ...labelledLines('created', intent.created_at === null ? [] : [intent.created_at]),
    ...labelledLines('updated', intent.updated_at === null ? [] : [intent.updated_at]),
  ]
}

const LABEL_WIDTH = 13

function labelledLines(label: string, items: readonly string[]): string[] {
  return items.map((it, n) => `  ${(n === 0 ? label : '').padEnd(LABEL_WIDTH)}${it}`)
}

function criterionText(criterion: Criterion): string {
  return typeof criterion === 'string' ? criterion : `$ ${criterion.cmd}`
}

function intentSessionLine({ id, agent, claimedAt }: Session): string {
  return `  ${'session'.padEnd(LABEL_WIDTH)}${id} of ${agent ?? 'a person'} since ${claimedAt}`
}
