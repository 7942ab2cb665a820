import { hookCommand, serverCommand } from './commands.ts'
import type { JsonFile } from './json-file.ts'
import type { Json } from './json-text.ts'

/** How long an agent waits for its hook, at most. */
const PATIENCE_S = 60

/** What kotef has in the files of JSON of each agent. */
export const JSON_FILES: Readonly<Record<string, readonly JsonFile[]>> = {
  claude: [
    { path: '.claude/settings.json', agent: 'claude', hooks: claudeHooks() },
    { path: '.mcp.json', agent: 'claude', server: { under: 'mcpServers', value: typedServer() } },
  ],
  codex: [{ path: '.codex/hooks.json', agent: 'codex', hooks: codexHooks() }],
  gemini: [
    {
      path: '.gemini/settings.json',
      agent: 'gemini',
      hooks: geminiHooks(),
      server: { under: 'mcpServers', value: server() },
    },
  ],
  copilot: [
    { path: '.github/hooks/kotef.json', agent: 'copilot', hooks: copilotHooks(), also: { version: 1 } },
    { path: '.mcp.json', agent: 'copilot', server: { under: 'mcpServers', value: typedServer() } },
    { path: '.vscode/mcp.json', agent: 'copilot', server: { under: 'servers', value: typedServer() } },
  ],
  cursor: [
    { path: '.cursor/hooks.json', agent: 'cursor', hooks: cursorHooks(), also: { version: 1 } },
    {
      path: '.cursor/mcp.json',
      agent: 'cursor',
      server: { under: 'mcpServers', value: server('cd "${workspaceFolder}" && ') },
    },
  ],
  opencode: [{ path: 'opencode.json', agent: 'opencode', server: { under: 'mcp', value: opencodeServer() } }],
}

type Hooks = Readonly<Record<string, Json>>

function claudeHooks(): Hooks {
  const told = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']
  const group = (gates: boolean) => ({
    hooks: [
      {
        type: 'command',
        command: hookCommand('claude', { gates }),
        timeout: PATIENCE_S,
        ...(gates ? { onFailure: 'block' } : {}),
      },
    ],
  })
  return {
    ...named(['PreToolUse'], { matcher: '*', ...group(true) }),
    ...named(['PostToolUse', 'PostToolUseFailure'], { matcher: '*', ...group(false) }),
    ...named(['ConfigChange'], group(true)),
    ...named(told, group(false)),
  }
}

function codexHooks(): Hooks {
  const group = (gates: boolean, timeout = PATIENCE_S) => ({
    hooks: [{ type: 'command', command: hookCommand('codex', { gates }), timeout }],
  })
  return {
    ...named(['PreToolUse'], { matcher: '.*', ...group(true) }),
    ...named(['PostToolUse'], { matcher: '.*', ...group(false) }),
    ...named(['SessionStart', 'UserPromptSubmit', 'Stop'], group(false)),
    // Codex waits no longer for these, and warns of what says otherwise.
    ...named(['Interrupt', 'SessionEnd'], group(false, 3)),
  }
}

function geminiHooks(): Hooks {
  const group = (gates: boolean) => ({
    hooks: [{ type: 'command', name: 'kotef', command: hookCommand('gemini', { gates }), timeout: PATIENCE_S * 1000 }],
  })
  return {
    ...named(['BeforeTool'], { matcher: '.*', ...group(true) }),
    ...named(['AfterTool'], { matcher: '.*', ...group(false) }),
    ...named(['SessionStart', 'BeforeAgent', 'BeforeModel', 'AfterAgent', 'SessionEnd'], group(false)),
  }
}

function copilotHooks(): Hooks {
  const told = ['sessionStart', 'userPromptSubmitted', 'postToolUse', 'postToolUseFailure', 'agentStop', 'sessionEnd']
  const hook = (gates: boolean) => ({
    type: 'command',
    bash: hookCommand('copilot', { gates }),
    timeoutSec: PATIENCE_S,
  })
  return { ...named(['preToolUse'], hook(true)), ...named(told, hook(false)) }
}

function cursorHooks(): Hooks {
  const told = ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure', 'stop', 'sessionEnd']
  const hook = (gates: boolean) => ({ command: hookCommand('cursor', { gates }), timeout: PATIENCE_S })
  return { ...named(['preToolUse'], { ...hook(true), failClosed: true }), ...named(told, hook(false)) }
}

function named(events: readonly string[], value: Json): Hooks {
  return Object.fromEntries(events.map(it => [it, value]))
}

/** How most agents are told to start the server. */
export function server(cd = ''): { readonly command: string; readonly args: readonly string[] } {
  const [command, ...args] = serverCommand(cd)
  return { command, args }
}

function typedServer(): Json {
  return { type: 'stdio', ...server() }
}

function opencodeServer(): Json {
  return { type: 'local', command: serverCommand(), enabled: true }
}
