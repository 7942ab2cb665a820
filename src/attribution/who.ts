import type { Session } from '../intents/session.ts'
import type { Attribution } from '../ledger/event.ts'
import type { Contributor } from '../ledger/record.ts'
import { type Timed, type Window, windowsAround } from './window.ts'

export type Author = {
  /** The id of the session that wrote it, or null. */
  readonly session: string | null
  /** The intent that it was written for, or null when none of the living sessions' is known to be. */
  readonly intent: string | null
  /** The intent of the session that wrote it, which need not own the path. */
  readonly bound: string | null
  readonly contributor: Contributor
  readonly attribution: Attribution
}

/** Who may have written: the sessions that live now, and what agents said that they are doing. */
export type Suspects = { readonly sessions: readonly Session[]; readonly windows: readonly Window[] }

/** Who wrote a path, and for which intent. Never guesses `ai`. */
export function whoWrote({ sessions, windows }: Suspects, write: Timed, owns: (intent: string) => boolean): Author {
  const around = windowsAround(windows, write)
  const [written, ran] = [around.filter(it => it.kind === 'write'), around.filter(it => it.kind === 'exec')]
  const intent = ownerAmong(sessions, owns)
  const boundTo = (session: string): string | null => sessions.find(it => it.id === session)?.intent ?? null
  const isOwners = ({ session }: Window): boolean => owns(boundTo(session) ?? '')
  if (written.length > 0) return credited(only(written, isOwners), { attribution: 'claimed', intent, boundTo })
  if (ran.length > 0) return credited(only(ran, isOwners), { attribution: 'window', intent, boundTo })
  return withoutWindow(sessions, intent, owns)
}

/** The intent of a write that no session of kotef's own made: the one among the living sessions' that owns its path. */
export function ownerAmong(sessions: readonly Session[], owns: (intent: string) => boolean): string | null {
  const intents = new Set(sessions.map(it => it.intent).filter(owns))
  const [intent = null] = intents.size === 1 ? intents : []
  return intent
}

/** The one session's window; of several sessions', that of the only one whose intent owns the path. */
function only(windows: readonly Window[], isOwners: (window: Window) => boolean): Window | null {
  const oneOf = (some: readonly Window[]) => (new Set(some.map(it => it.session)).size === 1 ? some.at(-1) : null)
  return oneOf(windows) ?? oneOf(windows.filter(isOwners)) ?? null
}

type Crediting = {
  readonly attribution: Attribution
  readonly intent: string | null
  readonly boundTo: (session: string) => string | null
}

function credited(window: Window | null, { attribution, intent, boundTo }: Crediting): Author {
  if (!window) return { session: null, intent, bound: null, contributor: { type: 'unknown' }, attribution: 'unknown' }
  const bound = boundTo(window.session)
  return { session: window.session, intent: bound ?? intent, bound, contributor: modelled(window), attribution }
}

function withoutWindow(sessions: readonly Session[], intent: string | null, owns: (intent: string) => boolean): Author {
  const declared = sessions.find(it => it.declared && owns(it.intent))
  if (declared) return { ...of(declared), intent, contributor: modelled(declared), attribution: 'declared' }
  const person = sessions.find(it => it.kind === 'person')
  if (person) return { ...of(person), intent, contributor: { type: 'human' }, attribution: 'person' }
  return { session: null, intent, bound: null, contributor: { type: 'unknown' }, attribution: 'unknown' }
}

function of(session: Session): Pick<Author, 'session' | 'bound'> {
  return { session: session.id, bound: session.intent }
}

function modelled({ model }: { readonly model: string | null }): Contributor {
  return model === null ? { type: 'ai' } : { type: 'ai', model_id: model }
}
