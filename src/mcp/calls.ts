import type { CallToolResult } from '@modelcontextprotocol/server'
import { contextObject, contextText, intentsObject, intentsText } from '../context/section.ts'
import { contextOf, listedIn } from '../provenance/intent-context.ts'
import { laidBare } from '../report/printable.ts'
import { ask } from '../workspace/requests.ts'
import { selectIntent } from '../workspace/select-intent.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Host, selectedBy } from './host.ts'
import { type Refusal, refusal, refusalOf, UNSELECTED } from './refusal.ts'
import { wantedBy } from './wanted.ts'

/** A tool as it is called, and by which client. */
export type ToolCall = {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly client: string | null
}

/** Answers a call. Whatever goes wrong is an answer as well, and never a yes. */
export async function answerTo(host: Host, call: ToolCall): Promise<CallToolResult> {
  try {
    const workspace = await host.open()
    if (call.name === 'list_intents') return await intentList(host, workspace)
    if (call.name === 'select_active_intent') return await selection(host, workspace, call)
    const intent = await selectedBy(host, workspace)
    if (intent === null) return refused(UNSELECTED)
    if (call.name === 'intent_context') return await context(workspace, intent, {})
    const wanted = wantedBy(call)
    if (wanted !== null) {
      const request = { ...wanted, session: host.session, agent: agentOf(call), intent }
      return answered(WAITS, { request: (await ask(workspace, request)).id, pending: true })
    }
    return refused(refusal('unknown-tool', `There is no tool ${call.name}.`, 'List the tools again.'))
  } catch (thrown) {
    return refused(refusalOf(thrown))
  }
}

async function selection(host: Host, workspace: Workspace, { args, client }: ToolCall): Promise<CallToolResult> {
  const wanted = args['intent_id']
  if (typeof wanted !== 'string' || wanted === '') {
    return refused(refusal('usage', 'intent_id is missing.', 'Call select_active_intent {"intent_id": "INT-001"}.'))
  }
  const { session, pid } = host
  const wish = { session, pid, agent: agentOf({ client }), model: null, intent: wanted }
  const { resumed, overlaps, drift } = await selectIntent(workspace, wish)
  return context(workspace, wanted, { session, resumed, overlaps, drift })
}

const AGENT_MAX = 80

// Whoever calls gives itself a name, which people will read.
function agentOf({ client }: Pick<ToolCall, 'client'>): string {
  const name = laidBare(client ?? '').replace(/\s+/g, ' ')
  return name.slice(0, AGENT_MAX) || 'mcp'
}

const WAITS = [
  'The request waits for a person, who sees it with `kotef approve --list`. Nothing has changed yet: go on with what',
  'is in scope, or tell the user what you wait for.',
].join(' ')

async function context(
  workspace: Workspace,
  intent: string,
  more: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const facts = await contextOf(workspace, intent)
  return answered(contextText(facts, 'xml'), { intent, ...more, context: contextObject(facts) })
}

async function intentList(host: Host, workspace: Workspace): Promise<CallToolResult> {
  const listed = await listedIn(workspace)
  return answered(intentsText(listed), { selected: await selectedBy(host, workspace), ...intentsObject(listed) })
}

function answered(text: string, more: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { status: 'success', ...more } }
}

// The text is for those clients that show a model nothing else.
function refused(why: Refusal): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(why) }], structuredContent: { ...why } }
}
