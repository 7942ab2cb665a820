import { type CallToolResult, type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server'
import { PLACES_SHOWN, whereIs } from '../../world/code/code-map/find-places.ts'
import { placeLines } from '../../core/report/map-lines.ts'
import { requestAnswersText } from '../../core/agents/context/request-answers.ts'
import { contextObject, contextText, intentsObject, intentsText } from '../../core/agents/context/context-text.ts'
import { KotefError } from '../../core/base/failure.ts'
import { handoverAgent } from '../../core/handover/agents.ts'
import type { HandoverRole } from '../../core/handover/port.ts'
import type { Session } from '../../core/intents/session.ts'
import { sessionInQuestion } from '../../world/handover/session-folder.ts'
import { type Refusal, recoverableRefusal, refusalOf } from '../../core/agents/gate/denial.ts'
import { INTENT_REQUIRED_MESSAGE } from '../../core/agents/gate/reasons.ts'
import { listIntents, loadIntentContext } from '../../world/provenance/intent-context.ts'
import { escapeInvisible } from '../../core/base/printable.ts'
import { takeAnswers } from '../../world/approvals/answer-inbox.ts'
import { selectIntent } from '../../world/lifecycle/select-intent.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'
import { answerHandover, type HandoverReply } from './answer-handover.ts'
import { recordAgentLesson } from './answer-lesson.ts'
import { type Host, selectedSession, type ServerIdentity, identityForCall } from './host.ts'
import { type Person, submitRequest } from './person.ts'
import { parseRequest } from './tools.ts'
import { typedResult } from './typed-result.ts'

/** A call of a tool, and the name of the client that makes it. */
export type McpToolCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly client: string | null
  /** The person at the client; null when the client can't ask one. */
  readonly person: Person | null
  /** The worktree, which may have failed to open. */
  readonly opened: Promise<Workspace>
}

/** Answers a call. A failure is answered as a refusal. */
export async function answerToolCall(host: Host, call: McpToolCall): Promise<CallToolResult | InputRequiredResult> {
  try {
    const workspace = await call.opened
    const identity = await identityForCall(host, workspace, call)
    const result = await callResult(workspace, { host, identity, call }).catch((it: unknown) =>
      refusalResult(refusalOf(it)),
    )
    if (isInputRequiredResult(result)) return result
    return typedResult(await withAnsweredRequests(workspace, identity, result))
  } catch (thrown) {
    return typedResult(refusalResult(refusalOf(thrown)))
  }
}

type McpCallContext = { readonly host: Host; readonly identity: ServerIdentity; readonly call: McpToolCall }

async function callResult(
  workspace: Workspace,
  { host, identity, call }: McpCallContext,
): Promise<CallToolResult | InputRequiredResult> {
  if (call.name === 'list_intents') return intentListResult(identity, workspace)
  if (call.name === 'select_active_intent') return selectionResult(identity, workspace, call)
  const selected = await selectedSession(identity, workspace)
  if (selected === null) return refusalResult(NO_INTENT_SELECTED)
  if (call.name === 'intent_context') return contextResult(workspace, selected, {})
  if (call.name === 'where_is') return placesResult(workspace, call.args)
  const { intent } = selected
  if (call.name === 'record_lesson') {
    const by = `${agentName(identity, call)}/${identity.session.slice(0, SESSION_CHARS)}`
    const { text, more } = await recordAgentLesson(workspace, { args: call.args, intent, by })
    return successResult(text, more)
  }
  const role = handoverAgent(selected.handover?.role)
  const handed = await answerHandover(call.name, { workspace, args: call.args, role, asks: host.gateAsks })
  if (handed) return handoverResult(handed)
  const asked = parseRequest(call)
  if (asked === null)
    return refusalResult(recoverableRefusal('unknown-tool', `There is no tool ${call.name}.`, 'List the tools again.'))
  const request = { ...asked, session: identity.session, agent: agentName(identity, call), intent }
  const outcome = await submitRequest(host, workspace, { draft: request, person: call.person })
  return isInputRequiredResult(outcome) ? outcome : successResult(outcome.text, outcome.more)
}

const SESSION_CHARS = 8

function handoverResult({ text, more, isRefused }: HandoverReply): CallToolResult {
  const result = successResult(text, more)
  return isRefused ? { ...result, isError: true } : result
}

// The answer of every tool that needs a selected intent, before the selection.
const NO_INTENT_SELECTED = recoverableRefusal(
  'intent-not-selected',
  INTENT_REQUIRED_MESSAGE,
  'Call list_intents, then select_active_intent with the id of the intent that the request belongs to.',
)

/** Adds the answers that persons gave since the last call. */
async function withAnsweredRequests(
  workspace: Workspace,
  { session }: ServerIdentity,
  result: CallToolResult,
): Promise<CallToolResult> {
  const answers = await takeAnswers(workspace, session, 'mcp')
  if (answers.length === 0) return result
  const content = [...result.content, { type: 'text' as const, text: requestAnswersText(answers) }]
  return {
    ...result,
    content,
    structuredContent: { ...(result.structuredContent as object), answered_requests: answers },
  }
}

async function selectionResult(
  identity: ServerIdentity,
  workspace: Workspace,
  { args, client }: Pick<McpToolCall, 'args' | 'client'>,
): Promise<CallToolResult> {
  const intent = args['intent_id']
  if (typeof intent !== 'string' || intent === '') {
    return refusalResult(
      recoverableRefusal('usage', 'intent_id is missing.', 'Call select_active_intent {"intent_id": "INT-001"}.'),
    )
  }
  const { session, pid, model } = identity
  const handover = await roleIn(args, workspace)
  const request = { session, pid, agent: agentName(identity, { client }), model, intent, handover }
  const { session: opened, resumed, overlaps, drift, elsewhere, watcher } = await selectIntent(workspace, request)
  return contextResult(workspace, opened, { session, resumed, overlaps, drift, elsewhere, watcher })
}

async function roleIn(args: McpToolCall['args'], workspace: Workspace): Promise<HandoverRole | null> {
  const { role: word, handover_session: named } = args
  if (word === undefined) return null
  const role = handoverAgent(word)
  if (role === null) throw new KotefError('usage', 'role is not the name of an agent.')
  const name = typeof named === 'string' ? named : null
  return { role, session: await sessionInQuestion(workspace, name, 'handover_session: ') }
}

// Lists print the name on one line.
const AGENT_CHARACTERS_MAX = 80

// The client names itself, and people will read the name.
function agentName({ agent }: ServerIdentity, { client }: Pick<McpToolCall, 'client'>): string {
  const name = escapeInvisible(agent ?? client ?? '').replace(/\s+/g, ' ')
  return name.slice(0, AGENT_CHARACTERS_MAX) || 'mcp'
}

async function contextResult(
  workspace: Workspace,
  session: Pick<Session, 'id' | 'intent' | 'handover'>,
  more: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const { intent } = session
  const facts = await loadIntentContext(workspace, intent, session)
  return successResult(contextText(facts, 'xml'), { intent, ...more, context: contextObject(facts) })
}

async function placesResult(workspace: Workspace, { words, limit }: McpToolCall['args']): Promise<CallToolResult> {
  if (typeof words !== 'string' || words.trim() === '') throw new KotefError('usage', 'words is missing, or empty.')
  const isNumber = typeof limit === 'number' && Number.isInteger(limit) && limit > 0
  const places = await whereIs(workspace, { question: words, limit: isNumber ? limit : PLACES_SHOWN })
  const text = places.length === 0 ? 'Nothing has these words.' : placeLines(places).join('\n')
  return successResult(escapeInvisible(text), { places })
}

async function intentListResult(identity: ServerIdentity, workspace: Workspace): Promise<CallToolResult> {
  const listed = await listIntents(workspace, identity.session)
  return successResult(intentsText(listed), {
    selected: (await selectedSession(identity, workspace))?.intent ?? null,
    ...intentsObject(listed),
  })
}

function successResult(text: string, more: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { status: 'success', ...more } }
}

// Some clients show the model only the text, others only the structured content.
function refusalResult(why: Refusal): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(why) }], structuredContent: { ...why } }
}
