import { intentNamed } from '../intents/find.ts'
import type { Criterion, Intent } from '../intents/intent.ts'
import type { Session } from '../intents/session.ts'
import { loadRegistry } from '../workspace/policy.ts'
import { liveSessions } from '../workspace/sessions.ts'
import { openWorkspace } from '../workspace/workspace.ts'
import { firstArgument } from './options.ts'
import type { Run } from './verb.ts'

/** `kotef intent show`: one intent, with the sessions that live on it in this worktree. */
export const run: Run = async call => {
  const workspace = await openWorkspace(call.cwd)
  const { intents } = await loadRegistry(workspace)
  const intent = intentNamed(intents, firstArgument(call))
  const sessions = (await liveSessions(workspace)).filter(it => it.intent === intent.id)
  return { text: [...intentLines(intent), ...sessions.map(sessionLine)].join('\n'), json: { intent, sessions } }
}

/** An intent as lines of text. */
export function intentLines(intent: Intent): string[] {
  return [
    `${intent.id}  ${intent.status}  ${intent.name}`,
    ...list('description', intent.description === '' ? [] : [intent.description]),
    ...list('scope', intent.owned_scope),
    ...list('constraints', intent.constraints),
    ...list('criteria', intent.acceptance_criteria.map(criterionText)),
    ...list('non-goals', intent.non_goals),
    ...list(
      'specs',
      intent.related_specs.map(it => `${it.type}: ${it.url}`),
    ),
    ...list('depends on', intent.depends_on),
    ...list('appetite', [intent.appetite]),
    ...list('created', intent.created_at === null ? [] : [intent.created_at]),
    ...list('updated', intent.updated_at === null ? [] : [intent.updated_at]),
  ]
}

const LABEL_WIDTH = 13

function list(label: string, items: readonly string[]): string[] {
  return items.map((it, n) => `  ${(n === 0 ? label : '').padEnd(LABEL_WIDTH)}${it}`)
}

function criterionText(criterion: Criterion): string {
  return typeof criterion === 'string' ? criterion : `$ ${criterion.cmd}`
}

function sessionLine({ id, agent, claimedAt }: Session): string {
  return `  ${'session'.padEnd(LABEL_WIDTH)}${id} of ${agent ?? 'a person'} since ${claimedAt}`
}
