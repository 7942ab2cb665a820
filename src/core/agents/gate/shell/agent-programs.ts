import type { Arg } from './arguments.ts'
import type { Effect } from './effect.ts'

/**
 * The effects of starting or setting up an agent: what it would be without its hooks, or with others, is refused. Null
 * for any other program, and for a start that is not known to be one of these.
 */
export function agentEffects(name: string, args: readonly Arg[]): Effect[] | null {
  const at = LAUNCHERS.test(name) ? args.findIndex(it => programOf(it) !== null) : -1
  const program = at === -1 ? name : programOf(args[at])
  const words = args.slice(at + 1).map(it => it.text ?? '')
  const own = AGENT_SWITCHES.filter(([agent]) => agent.test(program ?? ''))
  if (own.length === 0) return null
  if (own.some(it => isSwitched(it, words))) return [{ kind: 'switch', what: `the hooks of ${program}` }]
  return at === -1 && words.length === 1 && /^--(?:version|help)$/.test(words[0] ?? '') ? [] : null
}

type AgentRow = readonly [program: RegExp, verbs: RegExp, options: RegExp, source: string]

function isSwitched([, verbs, options]: AgentRow, words: readonly string[]): boolean {
  const verb = words.filter(it => !it.startsWith('-')).join(' ')
  const isHelp = words.includes('--help')
  // An option's value may be the next word.
  return !isHelp && (verbs.test(verb) || words.some((it, n) => options.test(`${it} ${words[n + 1] ?? ''}`)))
}

const SERVERS = 'mcp (?:add|add-json|add-from-claude-desktop|remove|rm|enable|disable|reset-project-choices)\\b'
const PLUGINS = 'plugins? (?!list\\b|validate\\b|details\\b|marketplace list\\b)\\w'

// The verbs that change an agent's settings or what it loads, and the options that start it with others.
const AGENT_SWITCHES: readonly AgentRow[] = [
  [
    /^claude$/,
    new RegExp(`^(?:${PLUGINS}|${SERVERS}|config (?:set|add|remove)\\b)`),
    new RegExp(
      '^--(?:plugin-(?:dir|url)|settings|setting-sources|mcp-config|strict-mcp-config|bare)(?:=|\\s)|' +
        '^--(?:allow-)?dangerously-|^--permission-mode[= ]bypassPermissions',
    ),
    'code.claude.com/docs, CLI reference; Plugins, CLI reference',
  ],
  [
    /^codex$/,
    new RegExp(`^(?:${PLUGINS}|${SERVERS}|features (?:enable|disable)\\b)`),
    // The model and how it thinks are the caller's choice.
    new RegExp(
      '^(?:-c|--config)(?:[= ]+)(?!model\\w*\\s*=)|^-c(?!model\\w*=)\\S|' +
        '^(?:-p|--profile|--enable|--disable)(?:=|\\s)|^--(?:dangerously-|yolo\\b)',
    ),
    'developers.openai.com/codex, CLI reference',
  ],
  [
    /^(?:gemini|qwen)$/,
    new RegExp(`^(?:extensions? (?!list\\b|validate\\b)\\w|${SERVERS}|hooks \\w|skills (?!list\\b)\\w)`),
    /^(?:-y|--yolo|-e|--extensions)(?:=|\s)|^--approval-mode[= ]yolo/,
    'geminicli.com/docs, CLI reference; Extension reference',
  ],
  [/^opencode$/, new RegExp(`^(?:${PLUGINS}|${SERVERS})`), /^--pure\s/, 'opencode.ai/docs, CLI'],
  [
    /^copilot$/,
    new RegExp(`^(?:${PLUGINS}|${SERVERS})`),
    /^--(?:plugin-dir|config-dir|additional-mcp-config|allow-all(?:-tools|-paths|-urls)?|yolo)(?:=|\s)/,
    'docs.github.com, GitHub Copilot CLI command reference',
  ],
  [
    /^(?:cursor-agent|agy|droid|cline)$/,
    new RegExp(`^(?:${PLUGINS}|${SERVERS})`),
    new RegExp(
      '^(?:-f|--force|-y|--yolo|--plugin-dir|--approve-mcps|--auto-approve-all)(?:=|\\s)|' +
        '^--(?:dangerously-|skip-permissions)',
    ),
    'cursor.com/docs, CLI parameters; the programs by themselves, --help',
  ],
]

const LAUNCHERS = /^(?:npx|bunx|pnpx|npm|pnpm|yarn|bun)$/
const PACKAGES: Readonly<Record<string, string>> = {
  '@anthropic-ai/claude-code': 'claude',
  '@openai/codex': 'codex',
  '@google/gemini-cli': 'gemini',
  '@qwen-code/qwen-code': 'qwen',
  'opencode-ai': 'opencode',
  '@github/copilot': 'copilot',
}

/** The agent that a word of a launcher names, by its package or its program. */
function programOf(arg: Arg | undefined): string | null {
  const text = (arg?.text ?? '').replace(/(?!^)@[^/]*$/, '')
  const program = PACKAGES[text] ?? text
  return AGENT_SWITCHES.some(([agent]) => agent.test(program)) ? program : null
}
