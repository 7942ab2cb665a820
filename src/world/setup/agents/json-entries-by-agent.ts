import { INIT_ANYWHERE, UNSET_CLONES_BLOCK } from '../hooks/hook-block.ts'
import type { JsonEntries } from './json-entries.ts'
import type { JsonValue } from './json-text.ts'

/** The time that an agent waits for its hook. kotef itself stops after 50 s, so that it answers before. */
const HOOK_TIMEOUT_S = 60

/** The script that agents run, beside the git hooks' scripts. It finds kotef and starts it. */
const AGENT_SCRIPT = '$(git rev-parse --git-common-dir)/kotef/agent'

const NOT_SET_UP = `kotef is not set up in this clone. Run: ${INIT_ANYWHERE}`

// The other agents take an empty output for permission. The text is for double quotes of a shell.
const PASSING_ANSWERS: Readonly<Record<string, string>> = {
  cline: '{}',
  opencode: '{}',
  cursor: String.raw`{\"permission\":\"allow\"}`,
}

/** The change to the project's folder, for agents that run hooks in the session's current folder. */
const FOLDER_COMMANDS: Readonly<Record<string, string>> = { claude: 'cd "${CLAUDE_PROJECT_DIR:-.}" || exit 2; ' }

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
  opencode: [
    {
      path: 'opencode.json',
      agent: 'opencode',
      server: { under: 'mcp', value: opencodeServerEntry() },
      // OpenCode would add it at its first run, to a file that governs.
      whenNew: { $schema: 'https://opencode.ai/config.json' },
    },
  ],
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

/** The command of an agent's hook. One that gates also stops the tool call when kotef can't answer. */
export function agentHookCommand(agent: string, { gates }: { gates: boolean }): string {
  return `sh -c '${FOLDER_COMMANDS[agent] ?? ''}${gates ? gatingCommands(agent).join('; ') : reportingCommand(agent)}'`
}

/** The same as a script file, for agents whose hooks are files. */
export function agentHookScript(agent: string, { gates }: { gates: boolean }): string {
  const lines = gates ? gatingCommands(agent) : [reportingCommand(agent)]
  return ['#!/bin/sh', '# Calls kotef. (`kotef uninit` removes this file.)', ...lines, ''].join('\n')
}

/** The program and arguments that start the MCP server. `cd` changes to the project, if the agent does not. */
function mcpServerCommand(cd = ''): readonly [command: string, ...args: string[]] {
  return ['sh', '-c', `${cd}exec sh "${AGENT_SCRIPT}" mcp`]
}

// Agents read exit code 2 as a refusal, and ignore a hook with any other code. Cline ignores all codes, and reads JSON.
function gatingCommands(agent: string): string[] {
  const dead = 'kotef gave no answer.'
  if (agent === 'cline') {
    return [
      `kotef=${AGENT_SCRIPT}`,
      `[ -f "$kotef" ] || { ${passCommand(agent)}; ${clineCancelCommand(NOT_SET_UP)}; exit 2; }`,
      `answer=$(sh "$kotef" agent-hook cline) && printf %s "$answer" || { ${clineCancelCommand(dead)}; exit 2; }`,
    ]
  }
  return [
    `kotef=${AGENT_SCRIPT}`,
    `[ -f "$kotef" ] || { ${passCommand(agent)}; echo "${NOT_SET_UP}" >&2; exit 2; }`,
    `sh "$kotef" agent-hook ${agent} || exit 2`,
  ]
}

// In a clone without kotef a tool runs, unless the config has `unset_clones: block`.
function passCommand(agent: string): string {
  const answer = PASSING_ANSWERS[agent]
  const printed = answer === undefined ? '' : `echo "${answer}"; `
  return `${UNSET_CLONES_BLOCK} || { echo "${NOT_SET_UP}" >&2; ${printed}exit 0; }`
}

function clineCancelCommand(errorMessage: string): string {
  return `echo "${errorMessage}" >&2; echo '${JSON.stringify({ cancel: true, errorMessage })}'`
}

// Agents show a person the error of a hook that exits with 1, and go on.
function reportingCommand(agent: string): string {
  const found = `kotef=${AGENT_SCRIPT}; [ -f "$kotef" ] || { echo "${NOT_SET_UP}" >&2; exit 1; }`
  return `${found}; sh "$kotef" agent-hook ${agent} || exit 1`
}
