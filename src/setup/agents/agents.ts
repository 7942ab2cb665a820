import { openCodePlugin } from '../../agents/opencode-plugin.ts'
import { KotefError } from '../../report/failure.ts'
import { hookCommand, hookScript } from './commands.ts'
import { JSON_FILES, server } from './json-files.ts'
import { jsonPart, ownPart, type Part, tomlPart } from './part.ts'

/** An agent that kotef can configure in a repository. */
export type Agent = {
  readonly name: string
  readonly parts: readonly Part[]
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
export const AGENTS: readonly Agent[] = [
  agentOf('claude', {
    prompt: 'CLAUDE.md',
    traces: ['.claude', 'CLAUDE.md'],
    notes: [
      'Claude Code asks once whether to trust this folder and the server in `.mcp.json`. Where nobody can be asked, ' +
        '`enableAllProjectMcpServers` in the settings of the user allows it.',
    ],
  }),
  agentOf('codex', {
    more: [tomlPart('.codex/config.toml', codexServer())],
    traces: ['.codex'],
    notes: [
      'Codex runs these hooks only when you trust this folder and the hooks, and is silent when it skips them: start ' +
        '`codex` here, and trust them with `/hooks`.',
      'In Codex `write_stdin` into a running shell has no hook.',
    ],
    goesOn: true,
  }),
  agentOf('gemini', {
    prompt: 'GEMINI.md',
    traces: ['.gemini', 'GEMINI.md'],
    notes: ['Gemini CLI heeds this only in a folder that you trust.'],
    goesOn: true,
  }),
  agentOf('copilot', {
    traces: ['.github/hooks', '.github/copilot', '.github/copilot-instructions.md'],
    notes: ['Copilot CLI heeds this only in a folder that you trust.'],
    goesOn: true,
  }),
  agentOf('cursor', { traces: ['.cursor', '.cursorrules'], notes: [] }),
  agentOf('opencode', {
    more: [ownPart('.opencode/plugin/kotef.js', { agent: 'opencode', text: openCodePlugin(opencodeCommand()) })],
    traces: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    notes: [],
  }),
  agentOf('cline', {
    more: clineHooks(),
    traces: ['.clinerules'],
    notes: [
      'Cline keeps its MCP servers outside of the repository. Put this into its `cline_mcp_settings.json`: ' +
        JSON.stringify({ mcpServers: { kotef: server() } }),
      'In Cline a refusal ends the whole run.',
    ],
    goesOn: true,
  }),
  agentOf('generic', { traces: [], notes: [] }),
]

/** Where prompts for agents stand. */
export const PROMPTS: readonly string[] = [
  'AGENTS.md',
  ...new Set(AGENTS.map(it => it.prompt).filter(it => it !== 'AGENTS.md')),
]

/** The agents with these names, each once. */
export function agentsNamed(names: readonly string[]): Agent[] {
  const known = AGENTS.map(it => it.name)
  for (const name of names) if (!known.includes(name)) throw unknown(name, known)
  return AGENTS.filter(it => names.includes(it.name))
}

function unknown(name: string, known: readonly string[]): KotefError {
  const hint = `Name one of ${known.join(', ')}. For any other agent, generic writes the section of AGENTS.md.`
  return new KotefError('usage', `kotef can't configure the agent ${JSON.stringify(name)}.`, { hint })
}

type More = Pick<Agent, 'traces' | 'notes'> &
  Partial<Pick<Agent, 'prompt' | 'goesOn'>> & { readonly more?: readonly Part[] }

function agentOf(name: string, { prompt = 'AGENTS.md', goesOn = false, more = [], traces, notes }: More): Agent {
  return { name, prompt, goesOn, traces, notes, parts: [...(JSON_FILES[name] ?? []).map(jsonPart), ...more] }
}

function codexServer(): string[] {
  const { command, args } = server()
  return [
    '[mcp_servers.kotef]',
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map(it => JSON.stringify(it)).join(', ')}]`,
  ]
}

function opencodeCommand(): string {
  return hookCommand('opencode', { gates: true })
}

function clineHooks(): Part[] {
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
    const text = hookScript('cline', { gates: event === 'PreToolUse' })
    return ownPart(`.clinerules/hooks/${event}`, { agent: 'cline', text, mode: 0o755 })
  })
}
