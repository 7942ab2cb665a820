import type { Session } from '../intents/session.ts'
import type { Attribution, Doubt } from '../ledger/event.ts'
import type { Contributor } from '../ledger/record.ts'
import { type TimedWrite, type ToolWindow, windowsAt } from './tool-window.ts'

export type Author = {
  /** The id of the session that wrote it, or null. */
  readonly session: string | null
  /** The intent that it was written for; null when unknown. */
  readonly intent: string | null
  /** The intent of the session that wrote it; it need not own the path. */
  readonly sessionIntent: string | null
  readonly contributor: Contributor
  readonly attribution: Attribution
  readonly doubt?: Doubt
}

/** The possible authors: the live sessions, and the windows of agents' tool calls. */
export type PossibleAuthors = { readonly sessions: readonly Session[]; readonly windows: readonly ToolWindow[] }

/** The author of a write, and its intent. Never guesses `ai`. */
export function authorOfWrite(
  { sessions, windows }: PossibleAuthors,
  write: TimedWrite,
  owns: (intent: string) => boolean,
): Author {
  const around = windowsAt(windows, write)
  const written = around.filter(it => it.kind === 'write')
  const ran = around.filter(it => it.kind === 'exec')
  const intent = owningIntent(sessions, owns)
  const intentOf = (session: string): string | null => sessions.find(it => it.id === session)?.intent ?? null
  const isOwners = ({ session }: ToolWindow): boolean => owns(intentOf(session) ?? '')
  if (written.length > 0)
    return authorByWindow(onlyCandidate(written, isOwners), { attribution: 'claimed', intent, intentOf })
  if (ran.length > 0)
    return authorByWindow(onlyCandidate(ran, isOwners), {
      attribution: 'window',
      doubt: doubtOf(ran),
      intent,
      intentOf,
    })
  return authorWithoutWindow(sessions, intent, owns)
}

// A command may write any path, and so may a person meanwhile.
function doubtOf(ran: readonly ToolWindow[]): Doubt {
  return new Set(ran.map(it => it.session)).size > 1 ? 'agent' : 'person'
}

/** The intent of a write without a known session: of the live sessions' intents the one that owns the path. */
export function owningIntent(sessions: readonly Session[], owns: (intent: string) => boolean): string | null {
  const intents = new Set(sessions.map(it => it.intent).filter(owns))
  const [intent = null] = intents.size === 1 ? intents : []
  return intent
}

/** The window, if all are of one session; else the window of the only session whose intent owns the path. */
function onlyCandidate(windows: readonly ToolWindow[], isOwners: (window: ToolWindow) => boolean): ToolWindow | null {
  const oneOf = (some: readonly ToolWindow[]) => (new Set(some.map(it => it.session)).size === 1 ? some.at(-1) : null)
  return oneOf(windows) ?? oneOf(windows.filter(isOwners)) ?? null
}

type WindowCredit = {
  readonly attribution: Attribution
  readonly doubt?: Doubt
  readonly intent: string | null
  readonly intentOf: (session: string) => string | null
}

function authorByWindow(window: ToolWindow | null, { attribution, doubt, intent, intentOf }: WindowCredit): Author {
  if (!window)
    return { session: null, intent, sessionIntent: null, contributor: { type: 'unknown' }, attribution: 'unknown' }
  const sessionIntent = intentOf(window.session)
  return {
    session: window.session,
    intent: sessionIntent ?? intent,
    sessionIntent,
    contributor: aiContributor(window),
    attribution,
    ...(doubt && { doubt }),
  }
}

function authorWithoutWindow(
  sessions: readonly Session[],
  intent: string | null,
  owns: (intent: string) => boolean,
): Author {
  const declared = sessions.find(it => it.declared && owns(it.intent))
  if (declared)
    return { ...authorSession(declared), intent, contributor: aiContributor(declared), attribution: 'declared' }
  const person = sessions.find(it => it.kind === 'person')
  if (person) return { ...authorSession(person), intent, contributor: { type: 'human' }, attribution: 'person' }
  return { session: null, intent, sessionIntent: null, contributor: { type: 'unknown' }, attribution: 'unknown' }
}

function authorSession(session: Session): Pick<Author, 'session' | 'sessionIntent'> {
  return { session: session.id, sessionIntent: session.intent }
}

function aiContributor({ model }: { readonly model: string | null }): Contributor {
  return model === null ? { type: 'ai' } : { type: 'ai', model_id: model }
}
