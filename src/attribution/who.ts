import type { Session } from '../intents/session.ts'
import type { Attribution } from '../ledger/event.ts'
import type { Contributor } from '../ledger/record.ts'

export type Author = {
  readonly session: Session | null
  /** The intent that owns the path, or null when none of the living sessions' does. */
  readonly intent: string | null
  readonly contributor: Contributor
  readonly attribution: Attribution
}

/** Who wrote a path, and for which intent, by the sessions that live now. Never guesses `ai`. */
export function whoWrote(sessions: readonly Session[], owns: (intent: string) => boolean): Author {
  const owners = sessions.filter(it => owns(it.intent))
  const intents = new Set(owners.map(it => it.intent))
  const [intent = null] = intents.size === 1 ? intents : []
  const declared = owners.find(it => it.declared)
  if (declared) return { session: declared, intent, contributor: modelled(declared), attribution: 'declared' }
  const person = sessions.find(it => it.kind === 'person')
  if (person) return { session: person, intent, contributor: { type: 'human' }, attribution: 'person' }
  return { session: null, intent, contributor: { type: 'unknown' }, attribution: 'unknown' }
}

function modelled({ model }: Session): Contributor {
  return model === null ? { type: 'ai' } : { type: 'ai', model_id: model }
}
