import { agentHookCommand, mcpServerCommand } from './agent-commands.ts'
import type { JsonEntries } from './json-entries.ts'
import type { JsonValue } from './json-text.ts'

/** The time that an agent waits for its hook. kotef itself stops after 50 s, so that it answers before. */
const HOOK_TIMEOUT_S = 60

/** kotef's entries in the JSON files of each agent. */
export const JSON_ENTRIES: Readonly<Record<string, readonly JsonEntries[]>> = {
  claude: [
    { path: '.claude/settings.json', agent: 'claude', hooks: claudeHooks() },
    { path: '.mcp.json', agent: 'claude', server: { under: 'mcpServers', value: stdioServerEntry() } },
  ],
  codex: [{ path: '.codex/hooks.json', agent: 'codex', hooks: codexHooks() }],
  gemini: [
    {
      path: '.gemini/settings.json',
      agent: 'gemini',
      hooks: geminiHooks(),
      server: { under: 'mcpServers', value: mcpServerEntry() },
    },
  ],
  copilot: [
    { path: '.github/hooks/kotef.json', agent: 'copilot', hooks: copilotHooks(), also: { version: 1 } },
    { path: '.mcp.json', agent: 'copilot', server: { under: 'mcpServers', value: stdioServerEntry() } },
    { path: '.vscode/mcp.json', agent: 'copilot', server: { under: 'servers', value: stdioServerEntry() } },
  ],
  cursor: [
    { path: '.cursor/hooks.json', agent: 'cursor', hooks: cursorHooks(), also: { version: 1 } },
    {
      path: '.cursor/mcp.json',
      agent: 'cursor',
      server: { under: 'mcpServers', value: mcpServerEntry('cd "${workspaceFolder}" && ') },
    },
  ],
  opencode: [{ path: 'opencode.json', agent: 'opencode', server: { under: 'mcp', value: opencodeServerEntry() } }],
}

type HookEntries = Readonly<Record<string, JsonValue>>

function claudeHooks(): HookEntries {
  const reporting = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']
  const group = (gates: boolean) => ({
    hooks: [
      {
        type: 'command',
        command: agentHookCommand('claude', { gates }),
        timeout: HOOK_TIMEOUT_S,
        ...(gates ? { onFailure: 'block' } : {}),
      },
    ],
  })
  return {
    ...forEvents(['PreToolUse'], { matcher: '*', ...group(true) }),
    ...forEvents(['PostToolUse', 'PostToolUseFailure'], { matcher: '*', ...group(false) }),
    ...forEvents(['ConfigChange'], group(true)),
    ...forEvents(reporting, group(false)),
  }
}

function codexHooks(): HookEntries {
  const group = (gates: boolean, timeout = HOOK_TIMEOUT_S) => ({
    hooks: [{ type: 'command', command: agentHookCommand('codex', { gates }), timeout }],
  })
  return {
    ...forEvents(['PreToolUse'], { matcher: '.*', ...group(true) }),
    ...forEvents(['PostToolUse'], { matcher: '.*', ...group(false) }),
    ...forEvents(['SessionStart', 'UserPromptSubmit', 'Stop'], group(false)),
    // Codex waits at most 3 s for these, and warns about a longer timeout.
    ...forEvents(['Interrupt', 'SessionEnd'], group(false, 3)),
  }
}

function geminiHooks(): HookEntries {
  const group = (gates: boolean) => ({
    hooks: [
      {
        type: 'command',
        name: 'kotef',
        command: agentHookCommand('gemini', { gates }),
        timeout: HOOK_TIMEOUT_S * 1000,
      },
    ],
  })
  return {
    ...forEvents(['BeforeTool'], { matcher: '.*', ...group(true) }),
    ...forEvents(['AfterTool'], { matcher: '.*', ...group(false) }),
    ...forEvents(['SessionStart', 'BeforeAgent', 'BeforeModel', 'AfterAgent', 'SessionEnd'], group(false)),
  }
}

function copilotHooks(): HookEntries {
  const reporting = [
    'sessionStart',
    'userPromptSubmitted',
    'postToolUse',
    'postToolUseFailure',
    'agentStop',
    'sessionEnd',
  ]
  const hook = (gates: boolean) => ({
    type: 'command',
    bash: agentHookCommand('copilot', { gates }),
    timeoutSec: HOOK_TIMEOUT_S,
  })
  return { ...forEvents(['preToolUse'], hook(true)), ...forEvents(reporting, hook(false)) }
}

function cursorHooks(): HookEntries {
  const reporting = ['sessionStart', 'beforeSubmitPrompt', 'postToolUse', 'postToolUseFailure', 'stop', 'sessionEnd']
  const hook = (gates: boolean) => ({ command: agentHookCommand('cursor', { gates }), timeout: HOOK_TIMEOUT_S })
  return { ...forEvents(['preToolUse'], { ...hook(true), failClosed: true }), ...forEvents(reporting, hook(false)) }
}

function forEvents(events: readonly string[], value: JsonValue): HookEntries {
  return Object.fromEntries(events.map(it => [it, value]))
}

/** The entry of the MCP server in the form that most agents read. */
export function mcpServerEntry(cd = ''): { readonly command: string; readonly args: readonly string[] } {
  const [command, ...args] = mcpServerCommand(cd)
  return { command, args }
}

function stdioServerEntry(): JsonValue {
  return { type: 'stdio', ...mcpServerEntry() }
}

function opencodeServerEntry(): JsonValue {
  return { type: 'local', command: mcpServerCommand(), enabled: true }
}
