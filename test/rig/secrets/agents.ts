// What each agent's hooks say at each moment: a new event is a row.

type Payload = Readonly<Record<string, unknown>>

/** A call of a tool, in the agent's own words. */
export type VoicedUse = { readonly tool: string; readonly input: Payload }

/** What an agent's hooks say at each moment, with texts that a person, its model or a program chose. */
export type AgentVoice = {
  readonly agent: string
  readonly shell: (command: string, description: string) => VoicedUse
  readonly write: (path: string, content: string) => VoicedUse
  readonly before: (use: VoicedUse) => Payload
  readonly after: (use: VoicedUse, output: string) => Payload
  readonly failed: (use: VoicedUse, error: string) => Payload
  readonly start: (text: string) => Payload
  readonly prompt: (text: string) => Payload
  readonly stop: (text: string) => Payload
  readonly end: (text: string) => Payload
  /** Null for an agent that says nothing of its settings. */
  readonly settings: ((text: string) => Payload) | null
  /** Every other payload that kotef reads from it. */
  readonly others: (text: string) => readonly Payload[]
}

/** Each agent that kotef has an adapter for. `session` is its session in the folder `cwd`. */
export function agentVoices(cwd: string, sessionOf: (agent: string) => string): AgentVoice[] {
  const named = (agent: string) => ({ session_id: sessionOf(agent), cwd })
  return [
    claudeVoice(named('claude'), cwd),
    codexVoice(named('codex'), cwd),
    geminiVoice(named('gemini'), cwd),
    copilotVoice(sessionOf('copilot'), cwd),
    cursorVoice({ conversation_id: sessionOf('cursor'), workspace_roots: [cwd] }, cwd),
    openCodeVoice({ session: sessionOf('opencode'), cwd }, cwd),
    clineVoice({ taskId: sessionOf('cline'), workspaceRoots: [cwd], clineVersion: '4' }),
    genericVoice({ session: sessionOf('generic'), cwd, agent: 'robot' }, cwd),
  ]
}

function claudeVoice(base: Payload, cwd: string): AgentVoice {
  const say = (hook_event_name: string, more: Payload): Payload => ({ ...base, hook_event_name, ...more })
  const call = ({ tool, input }: VoicedUse) => ({ tool_name: tool, tool_input: input, tool_use_id: 'c' })
  return {
    agent: 'claude',
    shell: (command, description) => ({ tool: 'Bash', input: { command, description } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: `${cwd}/${path}`, content } }),
    before: use => say('PreToolUse', call(use)),
    after: (use, stdout) =>
      say('PostToolUse', { ...call(use), tool_response: { stdout, stderr: stdout, interrupted: false } }),
    failed: (use, error) => say('PostToolUseFailure', { ...call(use), error: `Exit code 1\n${error}` }),
    start: text => say('SessionStart', { source: 'startup', prompt: text }),
    prompt: prompt => say('UserPromptSubmit', { prompt }),
    stop: text => say('Stop', { last_assistant_message: text }),
    end: reason => say('SessionEnd', { reason }),
    settings: text => say('ConfigChange', { file_path: `${cwd}/.claude/settings.local.json`, source: text }),
    others: text => [
      say('PreCompact', { custom_instructions: text }),
      say('SessionStart', { source: 'compact', summary: text }),
      say('Notification', { message: text }),
    ],
  }
}

function codexVoice(base: Payload, cwd: string): AgentVoice {
  const say = (hook_event_name: string, more: Payload): Payload => ({
    ...base,
    model: 'gpt-x',
    hook_event_name,
    ...more,
  })
  const call = ({ tool, input }: VoicedUse) => ({ tool_name: tool, tool_input: input, tool_use_id: 'c', turn_id: 't' })
  return {
    agent: 'codex',
    shell: (command, justification) => ({ tool: 'shell', input: { command: ['bash', '-lc', command], justification } }),
    write: (path, content) => ({
      tool: 'apply_patch',
      input: { command: `*** Begin Patch\n*** Add File: ${cwd}/${path}\n+${content}\n*** End Patch` },
    }),
    before: use => say('PreToolUse', call(use)),
    after: (use, output) => say('PostToolUse', { ...call(use), tool_response: `Exit code: 0\nOutput:\n${output}` }),
    failed: (use, error) => say('PostToolUse', { ...call(use), tool_response: `Exit code: 1\nOutput:\n${error}` }),
    start: text => say('SessionStart', { source: 'startup', prompt: text }),
    prompt: prompt => say('UserPromptSubmit', { prompt }),
    stop: text => say('Stop', { last_assistant_message: text }),
    end: reason => say('SessionEnd', { reason }),
    settings: null,
    others: text => [say('Interrupt', { reason: text }), say('SessionStart', { source: 'compact', summary: text })],
  }
}

function geminiVoice(base: Payload, cwd: string): AgentVoice {
  const say = (hook_event_name: string, more: Payload): Payload => ({
    ...{ ...base, timestamp: '2026-11-20', hook_event_name },
    ...more,
  })
  const call = ({ tool, input }: VoicedUse) => ({ tool_name: tool, tool_input: input })
  return {
    agent: 'gemini',
    shell: (command, description) => ({ tool: 'run_shell_command', input: { command, description } }),
    write: (path, content) => ({ tool: 'write_file', input: { file_path: `${cwd}/${path}`, content } }),
    before: use => say('BeforeTool', call(use)),
    after: (use, llmContent) => say('AfterTool', { ...call(use), tool_response: { llmContent } }),
    failed: (use, error) =>
      say('AfterTool', { ...call(use), tool_response: { llmContent: `Exit Code: 1\n${error}`, error } }),
    start: text => say('SessionStart', { source: 'startup', prompt: text }),
    prompt: prompt => say('BeforeAgent', { prompt }),
    stop: text => say('AfterAgent', { prompt_response: text }),
    end: reason => say('SessionEnd', { reason }),
    settings: null,
    others: text => [say('BeforeModel', { llm_request: { model: 'gemini-x', messages: [text] } })],
  }
}

function copilotVoice(sessionId: string, cwd: string): AgentVoice {
  const say = (more: Payload): Payload => ({ sessionId, timestamp: 1, cwd, ...more })
  const call = ({ tool, input }: VoicedUse) => ({ toolName: tool, toolArgs: JSON.stringify(input) })
  const result = (resultType: string, textResultForLlm: string) => ({ toolResult: { resultType, textResultForLlm } })
  return {
    agent: 'copilot',
    shell: (command, description) => ({ tool: 'bash', input: { command, description } }),
    write: (path, file_text) => ({ tool: 'create', input: { path: `${cwd}/${path}`, file_text } }),
    before: use => say(call(use)),
    after: (use, output) => say({ ...call(use), ...result('success', output) }),
    failed: (use, error) => say({ ...call(use), ...result('failure', `${error}\n<exited with exit code 1>`) }),
    start: text => say({ source: 'new', initialPrompt: text }),
    prompt: prompt => say({ prompt }),
    stop: text => say({ stopReason: text }),
    end: reason => say({ reason }),
    settings: null,
    others: text => [
      say({ toolName: 'bash', toolArgs: { command: `make ${text}` }, error: { message: text } }),
      say({ errorContext: text }),
      say({ notification_type: text }),
    ],
  }
}

function cursorVoice(base: Payload, cwd: string): AgentVoice {
  const say = (hook_event_name: string, more: Payload): Payload => ({
    ...base,
    model: 'claude-x',
    hook_event_name,
    ...more,
  })
  const call = ({ tool, input }: VoicedUse) => ({ tool_name: tool, tool_input: input, tool_use_id: 'c' })
  return {
    agent: 'cursor',
    shell: (command, description) => ({ tool: 'Shell', input: { command, description } }),
    write: (path, contents) => ({ tool: 'Write', input: { file_path: `${cwd}/${path}`, contents } }),
    before: use => say('preToolUse', call(use)),
    after: (use, output) => say('postToolUse', { ...call(use), tool_output: JSON.stringify({ output, exitCode: 0 }) }),
    failed: (use, error) => say('postToolUseFailure', { ...call(use), error, error_message: error }),
    start: text => say('sessionStart', { composer_mode: text }),
    prompt: prompt => say('beforeSubmitPrompt', { prompt }),
    stop: text => say('stop', { status: 'completed', text }),
    end: reason => say('sessionEnd', { reason }),
    settings: null,
    others: text => [
      say('beforeShellExecution', { command: `make '${text}'` }),
      say('beforeMCPExecution', { tool_name: 'query', tool_input: { url: text } }),
      say('beforeReadFile', { file_path: `${cwd}/src/a.ts`, content: text }),
      say('subagentStart', { task: text }),
    ],
  }
}

function openCodeVoice(base: Payload, cwd: string): AgentVoice {
  const say = (event: string, more: Payload): Payload => ({ ...base, event, ...more })
  const call = ({ tool, input }: VoicedUse) => ({ tool, args: input, call: 'c' })
  return {
    agent: 'opencode',
    shell: (command, description) => ({ tool: 'bash', input: { command, description } }),
    write: (path, content) => ({ tool: 'write', input: { filePath: `${cwd}/${path}`, content } }),
    before: use => say('before-tool', call(use)),
    after: (use, result) => say('after-tool', { ...call(use), result, exit: 0 }),
    failed: (use, result) => say('after-tool', { ...call(use), result, exit: 1 }),
    start: text => say('prompt', { model: 'a/b', title: text }),
    // A turn ends with it, and no other hook says that a person speaks: `prompt` runs with each request to the model.
    prompt: text => say('stop', { text }),
    stop: text => say('stop', { text }),
    end: text => say('session-end', { text }),
    settings: null,
    others: text => [say('unknown', { text })],
  }
}

function clineVoice(base: Payload): AgentVoice {
  const say = (hookName: string, more: Payload): Payload => ({ ...base, hookName, ...more })
  const call = ({ tool, input }: VoicedUse) => ({ toolName: tool, parameters: input })
  return {
    agent: 'cline',
    shell: (command, task_progress) => ({ tool: 'execute_command', input: { command, task_progress } }),
    write: (path, content) => ({ tool: 'write_to_file', input: { path, content } }),
    before: use => say('PreToolUse', { preToolUse: call(use) }),
    after: (use, result) => say('PostToolUse', { postToolUse: { ...call(use), result, success: true } }),
    failed: (use, result) => say('PostToolUse', { postToolUse: { ...call(use), result, success: false } }),
    start: task => say('TaskStart', { taskStart: { taskMetadata: { initialTask: task } } }),
    prompt: prompt => say('UserPromptSubmit', { userPromptSubmit: { prompt } }),
    stop: text => say('TaskComplete', { taskComplete: { result: text } }),
    end: reason => say('session_shutdown', { reason }),
    settings: null,
    others: text => [
      say('tool_call', { tool_call: { id: '1', name: 'run_commands', input: { commands: [`make '${text}'`] } } }),
      say('tool_result', { tool_result: { id: '1', name: 'run_commands', output: text } }),
      say('TaskCancel', { taskCancel: { reason: text } }),
    ],
  }
}

function genericVoice(base: Payload, cwd: string): AgentVoice {
  const say = (event: string, more: Payload): Payload => ({ ...base, event, ...more })
  return {
    agent: 'generic',
    shell: (command, description) => ({ tool: 'Bash', input: { command, description } }),
    write: (path, content) => ({ tool: 'Write', input: { file_path: `${cwd}/${path}`, content } }),
    before: use => say('before-tool', { ...use, call: 'c' }),
    after: (use, output) => say('after-tool', { ...use, call: 'c', output, exit: 0 }),
    failed: (use, output) => say('after-tool', { ...use, call: 'c', output, exit: 1, failed: true }),
    start: text => say('session-start', { model: 'maker/robot', text }),
    prompt: text => say('prompt', { text }),
    stop: text => say('stop', { text }),
    end: reason => say('session-end', { reason }),
    settings: text => say('settings-change', { path: `${cwd}/.claude/settings.local.json`, text }),
    others: text => [
      say('compacted', { summary: text }),
      say('exec-start', { command: text }),
      say('exec-end', { command: text, output: text }),
      say('write-start', { path: 'src/generic.ts', content: text }),
      say('write-failed', { path: 'src/generic.ts', error: text }),
      say('turn-end', { text }),
    ],
  }
}
