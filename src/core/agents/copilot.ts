import { type HookOutput, jsonOutput } from './adapter.ts'
import { adapterFrom, always, block, type AgentTable, textIn, toolContent, toolInput } from './agent-table.ts'
import { type Payload, shortTextOrNull } from '../base/payload.ts'

// The start and end of a subagent are not those of the main agent.
const unlessSubagent =
  <Moment extends string>(moment: Moment) =>
  (it: Payload): Moment | 'nothing' =>
    parentAgent(it) === null ? moment : 'nothing'

// Where nothing can be blocked, the model gets the text as context.
const context = always(additionalContext => ({ additionalContext }))

/**
 * Copilot CLI and its cloud agent. It runs the hooks of `.claude/settings.json` too, with Claude Code's hook names but
 * its own tool inputs, and ignores answers in Claude Code's shape.
 */
export const copilot = adapterFrom({
  agent: 'copilot',
  identity: copilotIdentity,
  hooks: {
    PreToolUse: 'start',
    PostToolUse: 'end',
    // Copilot reads an answer after a failure in another way than after a success, so none is given.
    PostToolUseFailure(payload) {
      const content = toolContent('copilot', 'failed', copilotTool(payload))
      return 'point' in content ? { ...content, point: null } : content
    },
    SessionStart: unlessSubagent('session-start'),
    SessionEnd: unlessSubagent('session-end'),
    UserPromptSubmit: it => (parentAgent(it) === null ? 'prompt' : 'subagent-prompt'),
    Stop: unlessSubagent('stop'),
  },
  tool: copilotTool,
  answers: {
    at: {
      'before-tool': { deny: copilotDenial, ask: it => permissionAnswer('ask', it) },
      'after-tool': context,
      prompt: context,
      'session-start': context,
      compacted: context,
      stop: { deny: block },
    },
    undecoded: copilotDenial,
  },
})

/** True for a payload that Copilot sends to a Claude Code hook: only Copilot's payloads have a timestamp. */
export function isCopilotPayload(payload: Payload): boolean {
  return 'timestamp' in payload && shortTextOrNull(payload['hook_event_name']) !== null
}

function copilotIdentity(payload: Payload): ReturnType<AgentTable['identity']> {
  // A subagent has its own session id; it acts for the main agent's session.
  const session = parentAgent(payload) ?? textIn(payload, 'sessionId', 'session_id')
  if (session === null) return { problem: 'It has no sessionId.' }
  const name = copilotHookName(payload)
  return name === null ? { problem: 'Its hook is not one that kotef knows.' } : { session, name }
}

function parentAgent(payload: Payload): string | null {
  return textIn(payload, 'parentAgentId', 'parent_agent_id')
}

/** The name of the hook; Copilot's own payloads don't have it, so it is derived from their fields. */
function copilotHookName(payload: Payload): string | null {
  const name = textIn(payload, 'hook_event_name')
  if (name !== null) return name
  if ('toolName' in payload || 'toolArgs' in payload) return copilotToolHookName(payload)
  if ('prompt' in payload) return 'transformedPrompt' in payload ? 'UserPromptTransformed' : 'UserPromptSubmit'
  if ('source' in payload) return 'SessionStart'
  if ('stopReason' in payload) return 'agentName' in payload ? 'SubagentStop' : 'Stop'
  if ('reason' in payload) return 'SessionEnd'
  return OTHER_HOOK_FIELDS.some(it => it in payload) ? 'Other' : null
}

function copilotToolHookName(payload: Payload): string {
  if ('toolResult' in payload) return 'PostToolUse'
  return 'error' in payload ? 'PostToolUseFailure' : 'PreToolUse'
}

const OTHER_HOOK_FIELDS = ['trigger', 'agentName', 'errorContext', 'notification_type']

// Copilot does not identify calls, so one call ends when the next one begins.
function copilotTool(payload: Payload) {
  const tool = textIn(payload, 'toolName', 'tool_name')
  const lane = textIn(payload, 'agentId', 'agent_id') ?? ''
  return { tool, input: toolInput(payload['toolArgs'] ?? payload['tool_input']), call: null, lane }
}

// Exit code 2 denies everywhere, also where Copilot runs a Claude Code hook; the JSON gives the reason.
function copilotDenial(text: string): HookOutput {
  return { ...jsonOutput(permissionAnswer('deny', text)), stderr: `${text}\n`, exit: 2 }
}

function permissionAnswer(permissionDecision: string, permissionDecisionReason: string): object {
  return { permissionDecision, permissionDecisionReason }
}
