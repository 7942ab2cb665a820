import { openCodePlugin } from '../../agents/opencode-plugin.ts'
import { KotefError } from '../../findings/failure.ts'
import { agentHookCommand, agentHookScript } from './agent-commands.ts'
import { JSON_ENTRIES, mcpServerEntry } from './json-entries-by-agent.ts'
import { jsonAgentFile, ownAgentFile, type AgentFile, tomlAgentFile } from './agent-file.ts'

/** An agent that kotef can configure in a repository. */
export type AgentSetup = {
  readonly name: string
  readonly files: readonly AgentFile[]
  /** What it reads at the start of a session; one that does not read AGENTS.md may have another file take it in. */
  readonly prompt: string
  /** What lies in a repository where it is in use. */
  readonly traces: readonly string[]
  /** What a person should know, or has yet to do. */
  readonly notes: readonly string[]
  /** True when it goes on as if it had leave when its hook takes too long. */
  readonly goesOn: boolean
}

/** Every agent that kotef knows, in the order of the documentation. */
export const AGENT_SETUPS: readonly AgentSetup[] = [
  defineAgent('claude', {
    prompt: 'CLAUDE.md',
    traces: ['.claude', 'CLAUDE.md'],
    notes: [
      'Claude Code asks once whether to trust this folder and the server in `.mcp.json`. Where nobody can be asked, ' +
        '`enableAllProjectMcpServers` in the settings of the user allows it.',
    ],
  }),
  defineAgent('codex', {
    more: [tomlAgentFile('.codex/config.toml', codexServer())],
    traces: ['.codex'],
    notes: [
      'Codex runs these hooks only when you trust this folder and the hooks, and is silent when it skips them: start ' +
        '`codex` here, and trust them with `/hooks`.',
      'In Codex `write_stdin` into a running shell has no hook.',
    ],
    goesOn: true,
  }),
  defineAgent('gemini', {
    prompt: 'GEMINI.md',
    traces: ['.gemini', 'GEMINI.md'],
    notes: ['Gemini CLI heeds this only in a folder that you trust.'],
    goesOn: true,
  }),
  defineAgent('copilot', {
    traces: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'],
    notes: ['Copilot CLI heeds this only in a folder that you trust.'],
    goesOn: true,
  }),
  defineAgent('cursor', { traces: ['.cursor', '.cursorrules'], notes: [] }),
  defineAgent('opencode', {
    more: [ownAgentFile('.opencode/plugin/kotef.js', { agent: 'opencode', text: openCodePlugin(opencodeCommand()) })],
    traces: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    notes: [],
  }),
  defineAgent('cline', {
    more: clineHooks(),
    traces: ['.clinerules'],
    notes: [
      'Cline keeps its MCP servers outside of the repository. Put this into its `cline_mcp_settings.json`: ' +
        JSON.stringify({ mcpServers: { kotef: mcpServerEntry() } }),
      'In Cline a refusal ends the whole run.',
    ],
    goesOn: true,
  }),
  defineAgent('generic', { traces: [], notes: [] }),
]

/** Where prompts for agents stand. */
export const PROMPT_FILES: readonly string[] = [
  'AGENTS.md',
  ...new Set(AGENT_SETUPS.map(it => it.prompt).filter(it => it !== 'AGENTS.md')),
]

/** The agents with these names, each once. */
export function agentSetupsByName(names: readonly string[]): AgentSetup[] {
  const known = AGENT_SETUPS.map(it => it.name)
  for (const name of names) if (!known.includes(name)) throw unknownAgentError(name, known)
  return AGENT_SETUPS.filter(it => names.includes(it.name))
}

function unknownAgentError(name: string, known: readonly string[]): KotefError {
  const hint = `Name one of ${known.join(', ')}. For any other agent, generic writes the section of AGENTS.md.`
  return new KotefError('usage', `kotef can't configure the agent ${JSON.stringify(name)}.`, { hint })
}

type SetupOptions = Pick<AgentSetup, 'traces' | 'notes'> &
  Partial<Pick<AgentSetup, 'prompt' | 'goesOn'>> & { readonly more?: readonly AgentFile[] }

function defineAgent(
  name: string,
  { prompt = 'AGENTS.md', goesOn = false, more = [], traces, notes }: SetupOptions,
): AgentSetup {
  return { name, prompt, goesOn, traces, notes, files: [...(JSON_ENTRIES[name] ?? []).map(jsonAgentFile), ...more] }
}

function codexServer(): string[] {
  const { command, args } = mcpServerEntry()
  return [
    '[mcp_servers.kotef]',
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map(it => JSON.stringify(it)).join(', ')}]`,
  ]
}

function opencodeCommand(): string {
  return agentHookCommand('opencode', { gates: true })
}

function clineHooks(): AgentFile[] {
  const events = [
    'TaskStart',
    'TaskResume',
    'TaskComplete',
    'TaskCancel',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
  ]
  return events.map(event => {
    const text = agentHookScript('cline', { gates: event === 'PreToolUse' })
    return ownAgentFile(`.clinerules/hooks/${event}`, { agent: 'cline', text, mode: 0o755 })
  })
}
