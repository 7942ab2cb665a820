import { type CallToolResult, type InputRequiredResult, isInputRequiredResult } from '@modelcontextprotocol/server'
import { answersText } from '../context/answers.ts'
import { contextObject, contextText, intentsObject, intentsText } from '../context/section.ts'
import { contextOf, listedIn } from '../provenance/intent-context.ts'
import { laidBare } from '../report/printable.ts'
import { answersFor } from '../workspace/answers.ts'
import { selectIntent } from '../workspace/select-intent.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Host, selectedBy, type Voice, voiceOf } from './host.ts'
import type { Person } from './person.ts'
import { type Refusal, refusal, refusalOf, UNSELECTED } from './refusal.ts'
import { requested } from './requesting.ts'
import { wantedBy } from './wanted.ts'

/** A tool as it is called, and by which client. */
export type ToolCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly client: string | null
  /** Who can be asked there. */
  readonly person: Person | null
}

/** Answers a call. Whatever goes wrong is an answer as well, and never a yes. */
export async function answerTo(host: Host, call: ToolCall): Promise<CallToolResult | InputRequiredResult> {
  try {
    const workspace = await host.open()
    const voice = await voiceOf(host, workspace, call)
    const result = await answerIn(workspace, { host, voice, call }).catch((it: unknown) => refused(refusalOf(it)))
    return isInputRequiredResult(result) ? result : await withAnswers(workspace, voice, result)
  } catch (thrown) {
    return refused(refusalOf(thrown))
  }
}

type Around = { readonly host: Host; readonly voice: Voice; readonly call: ToolCall }

async function answerIn(
  workspace: Workspace,
  { host, voice, call }: Around,
): Promise<CallToolResult | InputRequiredResult> {
  if (call.name === 'list_intents') return intentList(voice, workspace)
  if (call.name === 'select_active_intent') return selection(voice, workspace, call)
  const intent = await selectedBy(voice, workspace)
  if (intent === null) return refused(UNSELECTED)
  if (call.name === 'intent_context') return context(workspace, intent, {})
  const wanted = wantedBy(call)
  if (wanted === null)
    return refused(refusal('unknown-tool', `There is no tool ${call.name}.`, 'List the tools again.'))
  const wish = { ...wanted, session: voice.session, agent: agentOf(voice, call), intent }
  const outcome = await requested(host, workspace, { wish, person: call.person })
  return isInputRequiredResult(outcome) ? outcome : answered(outcome.text, outcome.more)
}

/** What persons have answered since the last call comes along. */
async function withAnswers(workspace: Workspace, { session }: Voice, result: CallToolResult): Promise<CallToolResult> {
  const answers = await answersFor(workspace, session, 'mcp')
  if (answers.length === 0) return result
  const content = [...result.content, { type: 'text' as const, text: answersText(answers) }]
  return {
    ...result,
    content,
    structuredContent: { ...(result.structuredContent as object), answered_requests: answers },
  }
}

async function selection(voice: Voice, workspace: Workspace, { args, client }: ToolCall): Promise<CallToolResult> {
  const wanted = args['intent_id']
  if (typeof wanted !== 'string' || wanted === '') {
    return refused(refusal('usage', 'intent_id is missing.', 'Call select_active_intent {"intent_id": "INT-001"}.'))
  }
  const { session, pid, model } = voice
  const wish = { session, pid, agent: agentOf(voice, { client }), model, intent: wanted }
  const { resumed, overlaps, drift } = await selectIntent(workspace, wish)
  return context(workspace, wanted, { session, resumed, overlaps, drift })
}

const AGENT_MAX = 80

// Whoever calls gives itself a name, which people will read.
function agentOf({ agent }: Voice, { client }: Pick<ToolCall, 'client'>): string {
  const name = laidBare(agent ?? client ?? '').replace(/\s+/g, ' ')
  return name.slice(0, AGENT_MAX) || 'mcp'
}

async function context(
  workspace: Workspace,
  intent: string,
  more: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const facts = await contextOf(workspace, intent)
  return answered(contextText(facts, 'xml'), { intent, ...more, context: contextObject(facts) })
}

async function intentList(voice: Voice, workspace: Workspace): Promise<CallToolResult> {
  const listed = await listedIn(workspace)
  return answered(intentsText(listed), { selected: await selectedBy(voice, workspace), ...intentsObject(listed) })
}

function answered(text: string, more: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { status: 'success', ...more } }
}

// The text is for those clients that show a model nothing else.
function refused(why: Refusal): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(why) }], structuredContent: { ...why } }
}
