import type { HookPoint } from './adapter.ts'
import {
  adapterFrom,
  always,
  firstFolder,
  namedBy,
  type PayloadContent,
  stopContent,
  textIn,
  toolInput,
} from './agent-table.ts'
import { modelFromName } from './models.ts'
import type { Payload } from '../base/payload.ts'
import { toolUse } from './tool-use.ts'

const ALLOWED = { permission: 'allow' }
const context = always(additional_context => ({ additional_context }))

/** Cursor: every call gets flat JSON and exit code 0, since under `failClosed` an empty answer is a denial. */
export const cursor = adapterFrom({
  agent: 'cursor',
  identity: namedBy('hook_event_name', 'conversation_id', 'session_id'),
  model: it => modelFromName(it['model']),
  cwd: it => textIn(it, 'cwd') ?? firstFolder(it['workspace_roots']),
  hooks: {
    preToolUse: 'start',
    postToolUse: 'end',
    postToolUseFailure: 'failed',
    sessionStart: 'session-start',
    sessionEnd: 'session-end',
    beforeSubmitPrompt: 'prompt',
    stop: ({ loop_count: loops }) => stopContent(typeof loops === 'number' && loops > 0),
    // The hooks for one kind of tool: they are answered too, but only `preToolUse` is recorded.
    beforeShellExecution: it => asked('Shell', { command: it['command'], working_directory: it['cwd'] }),
    beforeMCPExecution: it => asked(`MCP:${textIn(it, 'tool_name') ?? ''}`, toolInput(it['tool_input'])),
    beforeReadFile: askedToRead,
    beforeTabFileRead: askedToRead,
    subagentStart: () => asked('Task', {}),
  },
  // Every call gets an end hook, and several may run at once.
  tool(payload) {
    const tool = textIn(payload, 'tool_name')
    const call = textIn(payload, 'tool_use_id')
    return { tool, input: toolInput(payload['tool_input']), call, lane: call ?? '' }
  },
  // Cursor would treat `ask` as a denial without its text.
  answers: {
    at: {
      'before-tool': { deny: cursorDenial },
      'after-tool': context,
      'session-start': context,
      prompt: {
        deny: text => ({ continue: false, user_message: text }),
        // Newer versions read a context here, older ones ignore it.
        context: text => ({ continue: true, additional_context: text }),
      },
      stop: { deny: text => ({ followup_message: text }) },
    },
    undecoded: text => ({ ...cursorDenial(text), continue: false }),
    nothing: cursorSilence,
  },
})

function asked(tool: string, input: unknown): PayloadContent {
  return { activity: null, point: { at: 'before-tool', ...toolUse('cursor', tool, input) } }
}

function askedToRead(payload: Payload): PayloadContent {
  return asked('Read', { file_path: payload['file_path'] })
}

function cursorSilence(at: HookPoint['at'] | null): object {
  if (at === 'before-tool' || at === null) return ALLOWED
  return at === 'prompt' ? { continue: true } : {}
}

// Cursor's model reads `user_message`.
function cursorDenial(text: string): object {
  return { permission: 'deny', user_message: text, agent_message: text }
}
