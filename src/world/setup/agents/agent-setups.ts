import { openCodePlugin } from '../../../core/agents/opencode-plugin.ts'
import { KotefError } from '../../../core/base/failure.ts'
import { agentHookCommand, agentHookScript, JSON_ENTRIES, mcpServerEntry } from './json-entries-by-agent.ts'
import { type AgentFile, jsonAgentFile, ownAgentFile, tomlAgentFile } from './agent-file.ts'

/** An agent that kotef can configure in a repository. */
export type AgentSetup = {
  readonly name: string
  readonly files: readonly AgentFile[]
  /** The file that the agent reads at the start of a session: AGENTS.md, or a file of its own that can import that. */
  readonly prompt: string
  /** Files and folders that show that the agent is used in a repository. */
  readonly traces: readonly string[]
  /** The command that starts the agent; null for one without. */
  readonly program: string | null
  /** Facts that a person should know, and steps that a person has to do. */
  readonly notes: readonly string[]
  /** True for an agent that proceeds as if allowed when its hook takes too long. */
  readonly ignoresTimeout: boolean
}

/** Every agent that kotef knows, in the order of the documentation. */
export const AGENT_SETUPS: readonly AgentSetup[] = [
  defineAgent('claude', {
    prompt: 'CLAUDE.md',
    traces: ['.claude', 'CLAUDE.md'],
    notes: [
      'Claude Code asks once whether to trust this folder and the server in `.mcp.json`. Without a terminal, ' +
        '`enableAllProjectMcpServers` in your settings allows it.',
    ],
  }),
  defineAgent('codex', {
    more: [tomlAgentFile('.codex/config.toml', codexServer())],
    traces: ['.codex'],
    notes: [
      'Codex runs these hooks only when you trust this folder and the hooks, and prints nothing when it skips them: ' +
        'start `codex` here, and trust them with `/hooks`.',
      'In Codex `write_stdin` into a running shell has no hook.',
    ],
    ignoresTimeout: true,
  }),
  defineAgent('gemini', {
    prompt: 'GEMINI.md',
    traces: ['.gemini', 'GEMINI.md'],
    notes: ['Gemini CLI runs these hooks only in a folder that you trust.'],
    ignoresTimeout: true,
  }),
  defineAgent('copilot', {
    traces: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'],
    notes: ['Copilot CLI runs these hooks only in a folder that you trust.'],
    ignoresTimeout: true,
  }),
  defineAgent('cursor', { program: 'cursor-agent', traces: ['.cursor', '.cursorrules'], notes: [] }),
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
    ignoresTimeout: true,
  }),
  defineAgent('generic', { program: null, traces: [], notes: [] }),
]

/** The files with prompts for agents. */
export const PROMPT_FILES: readonly string[] = [
  'AGENTS.md',
  ...new Set(AGENT_SETUPS.map(it => it.prompt).filter(it => it !== 'AGENTS.md')),
]

/** The agents with these names, each once. Throws for an unknown name. */
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
  Partial<Pick<AgentSetup, 'prompt' | 'ignoresTimeout' | 'program'>> & { readonly more?: readonly AgentFile[] }

function defineAgent(
  name: string,
  { prompt = 'AGENTS.md', program = name, ignoresTimeout = false, more = [], traces, notes }: SetupOptions,
): AgentSetup {
  return {
    name,
    prompt,
    program,
    ignoresTimeout,
    traces,
    notes,
    files: [...(JSON_ENTRIES[name] ?? []).map(jsonAgentFile), ...more],
  }
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
