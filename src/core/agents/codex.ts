import { adapterFrom, always, block, contextIn, exit2, namedBy, textIn } from './agent-table.ts'
import { qualifiedModel } from './models.ts'

const context = contextIn('SessionStart')

/** Codex CLI: nearly Claude Code's JSON, but it rejects an answer that has an unknown key. */
export const codex = adapterFrom({
  agent: 'codex',
  identity: namedBy('hook_event_name', 'session_id'),
  model: it => qualifiedModel('openai', it['model']),
  hooks: {
    PreToolUse: 'start',
    PostToolUse: 'end',
    SessionStart: it => (it['source'] === 'compact' ? 'compacted' : 'session-start'),
    SessionEnd: 'session-end',
    UserPromptSubmit: 'prompt',
    Stop: 'stop',
    Interrupt: 'turn-end',
  },
  // The main agent and each subagent runs one tool at a time.
  tool: it => ({
    tool: textIn(it, 'tool_name'),
    input: it['tool_input'],
    call: textIn(it, 'tool_use_id'),
    lane: textIn(it, 'agent_id') ?? '',
  }),
  // Codex treats `ask` and `continue: false` as errors of the hook, and after an error it lets the tool run.
  answers: {
    at: {
      'before-tool': { deny: codexDenial, context: contextIn('PreToolUse') },
      'after-tool': { deny: block, context: contextIn('PostToolUse') },
      prompt: { deny: block, context: contextIn('UserPromptSubmit') },
      'session-start': always(context),
      compacted: always(context),
      stop: { deny: block },
    },
    undecoded: exit2,
  },
})

function codexDenial(permissionDecisionReason: string): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }
}
