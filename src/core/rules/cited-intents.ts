import { continueCommand, isFinalStatus } from '../intents/lifecycle.ts'
import type { Finding } from '../base/finding.ts'
import type { PolicyIntent } from '../intents/scope/policy.ts'
import { printable } from '../base/printable.ts'
import { commitRegistryCommand, registryFirstHint } from './hints.ts'

/** The finding of a cited intent that the registry does not have. */
export function unknownIntent(id: string, intents: readonly PolicyIntent[]): Finding {
  const known = intents.map(it => it.id)
  return {
    rule: 'intent-known',
    level: 'block',
    path: null,
    message: `the message cites ${printable(id)}, which is not in the registry`,
    hint:
      known.length > 0
        ? `The registry has ${known.join(', ')}; see \`kotef intent list\``
        : 'The registry is empty: add one with `kotef intent add`',
  }
}

/** The finding of an intent that no commit has yet. The registry may be put first; else the push is stopped. */
export function uncommittedIntent(id: string, isTeam: boolean): Finding {
  const message = `the message cites ${id}, which is in the registry of the worktree and not in a commit yet`
  return { rule: 'intent-known', level: 'review', path: null, message, hint: registryFirstHint(id, isTeam) }
}

/** The finding of a cited intent that is not open. */
export function notOpen({ id, status }: PolicyIntent): Finding {
  return {
    rule: 'intent-open',
    level: 'block',
    path: null,
    message: `the message cites ${id}, which is ${status}`,
    hint: isFinalStatus(status)
      ? `${status} is final. Add an intent for the work: \`${continueCommand(id, status)}\``
      : `Start it: \`kotef intent start ${id}\``,
  }
}

/** The finding of an intent that is open in the worktree alone, in a commit of an agent. */
export function onlyHere({ id, isUncommitted }: PolicyIntent, isTeam: boolean): Finding {
  const [state, verb] = isUncommitted ? ['', 'add'] : ['open ', 'reopen']
  return {
    rule: isUncommitted ? 'intent-known' : 'intent-open',
    level: 'block',
    path: null,
    message: `the message cites ${id}, which is ${state}in the registry of the worktree alone, and an agent commits`,
    hint: `A person commits the registry first: \`${commitRegistryCommand(`${verb} ${id}`, { isTeam })}\``,
  }
}
