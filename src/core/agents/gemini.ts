import { adapterFrom, always, contextIn, namedBy, textIn } from './agent-table.ts'
import { qualifiedModel } from './models.ts'
import { objectOrNull } from '../base/payload.ts'

/** Gemini CLI: its hooks have their own names, and only `BeforeModel` names the model. */
export const gemini = adapterFrom({
  agent: 'gemini',
  identity: namedBy('hook_event_name', 'session_id'),
  model: it => qualifiedModel('google', objectOrNull(it['llm_request'])?.['model']),
  hooks: {
    BeforeTool: 'start',
    AfterTool: 'end',
    SessionStart: 'session-start',
    SessionEnd: 'session-end',
    BeforeAgent: 'prompt',
    AfterAgent: 'stop',
    BeforeModel: 'model-named',
  },
  // Gemini CLI does not identify calls, so one call ends when the next one begins.
  tool: it => ({ tool: textIn(it, 'tool_name'), input: it['tool_input'], call: null, lane: '' }),
  // Always JSON with a decision, and exit code 0: Gemini CLI ignores exit code 2 when stdout or stderr is JSON of
  // another shape.
  answers: {
    at: {
      'before-tool': { deny: geminiDenial },
      // The text replaces the tool's output.
      'after-tool': { deny: geminiDenial, context: contextIn('AfterTool') },
      prompt: { deny: geminiDenial, context: contextIn('BeforeAgent') },
      'session-start': always(contextIn('SessionStart')),
      stop: { deny: geminiDenial },
    },
    undecoded: geminiDenial,
  },
})

function geminiDenial(reason: string): object {
  return { decision: 'deny', reason }
}
