import { CONTEXT_FORMATS, type ContextFormat } from '../../core/agents/context/sheet.ts'
import { contextObject, contextText, mandateText } from '../../core/agents/context/context-text.ts'
import { listSelectableIntents, loadIntentContext } from '../../world/provenance/intent-context.ts'
import { KotefError } from '../../core/base/failure.ts'
import { type Session, sessionIntents } from '../../core/intents/session.ts'
import { liveSessions } from '../../world/intents/sessions/live-sessions.ts'
import { openWorkspace, type Workspace } from '../../world/io/worktree/workspace.ts'
import { type RunVerb, textOption, type VerbCall } from './verb.ts'

/** `kotef context`: the text that an agent reads about its intent; without one, that it has to select an intent. */
export const run: RunVerb = async call => {
  const workspace = await openWorkspace(call.cwd)
  const format = formatIn(call)
  const sessions = await sessionsInQuestion(workspace, call.env['KOTEF_SESSION'] ?? null)
  const intent = textOption(call, 'intent') ?? currentIntent(sessions)
  if (intent === null) {
    const available = await listSelectableIntents(workspace)
    return { text: mandateText(available, format), json: { intent: null, available: available.map(it => it.id) } }
  }
  const [session = null, ...others] = sessions.filter(it => it.intent === intent)
  const facts = await loadIntentContext(workspace, intent, others.length === 0 ? session : null)
  return { text: contextText(facts, format), json: { intent, context: contextObject(facts) } }
}

function formatIn(call: VerbCall): ContextFormat {
  const wanted = textOption(call, 'format')
  const format = CONTEXT_FORMATS.find(it => it === wanted)
  if (!format) throw new KotefError('usage', `--format takes ${CONTEXT_FORMATS.join(', ')}.`)
  return format
}

/** The session; for null, all live sessions of this worktree. */
async function sessionsInQuestion(workspace: Workspace, session: string | null): Promise<Session[]> {
  return (await liveSessions(workspace)).filter(it => session === null || it.id === session)
}

/** The intent that sessions share. */
function currentIntent(sessions: readonly Session[]): string | null {
  const [first = null, ...others] = sessionIntents(sessions)
  if (others.length === 0) return first
  const all = [first, ...others].join(', ')
  throw new KotefError('usage', `There are sessions on several intents here: ${all}.`, {
    hint: `Name one: \`kotef context --intent ${first}\``,
  })
}
