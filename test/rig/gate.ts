import { selected } from './selecting.ts'
import { hookOf } from './agents.ts'
import type { Repo } from './repo.ts'
import type { Outcome } from './run.ts'

/** A use of a tool that an agent asks for; `s` in the top of the worktree unless told. */
export type Use = {
  readonly tool: string
  readonly input: object
  readonly session?: string
  readonly cwd?: string
  /** What comes before the program, such as `OBEYING`. */
  readonly before?: string
}

/** What an agent's hook answered. */
export type Answered = {
  readonly kind: 'allowed' | 'denied' | 'asked' | 'context'
  /** What the agent can read. */
  readonly text: string
  /** The refusal, if it is one. */
  readonly refusal: Readonly<Record<string, unknown>>
  readonly exit: number
}

type Moment = 'before-tool' | 'after-tool' | 'prompt' | 'session-start' | 'compacted' | 'settings-change'

/** A moment, with whatever else the agent says then. */
type At = { readonly at: Moment; readonly file_path?: string; readonly path?: string } & Partial<Use>

/** The agents that these tests know to speak for. */
export const AGENTS = ['claude', 'generic'] as const
type Agent = (typeof AGENTS)[number]

const CLAUDE: Readonly<Record<Moment, string>> = {
  ...{ 'before-tool': 'PreToolUse', 'after-tool': 'PostToolUse', prompt: 'UserPromptSubmit' },
  ...{ 'session-start': 'SessionStart', compacted: 'SessionStart', 'settings-change': 'ConfigChange' },
}

/** Runs an agent's hook at a moment, in a process of its own, as the agent does. */
export async function hooked(repo: Repo, agent: Agent, use: At): Promise<Answered> {
  const { at, tool, input, session = 's', cwd = repo.root, before = '', ...more } = use
  const payload =
    agent === 'generic'
      ? { event: at, session, cwd, tool, input, ...more }
      : {
          ...{ session_id: session, cwd, hook_event_name: CLAUDE[at], tool_name: tool, tool_input: input },
          ...{ tool_use_id: 'c', source: at === 'compacted' ? 'compact' : 'startup', ...more },
        }
  const options = { input: JSON.stringify(payload), cwd: repo.root }
  const words = `exec ${before}kotef agent-hook ${agent}`
  return answered(
    agent,
    await (before === '' ? hookOf(repo, agent, options.input) : repo.run('sh', ['-c', words], options)),
  )
}

/** May this agent use this tool? */
export function asks(repo: Repo, agent: Agent, use: Use): Promise<Answered> {
  return hooked(repo, agent, { at: 'before-tool', ...use })
}

/** Lets an agent use a tool to its end, when it may: what was answered before and after. */
export async function uses(repo: Repo, agent: Agent, use: Use & { readonly does: () => Promise<unknown> }) {
  const { does, ...asked } = use
  const before = await asks(repo, agent, asked)
  if (before.kind === 'denied') return { before, after: before }
  await does()
  return { before, after: await hooked(repo, agent, { at: 'after-tool', ...asked }) }
}

function answered(agent: Agent, { code, stdout, stderr }: Outcome): Answered {
  const said = stdout === '' ? {} : (JSON.parse(stdout) as Record<string, never>)
  const own = agent === 'claude' ? ofClaude(said, { code, stderr }) : ofAny(said, code)
  return { ...own, refusal: refusalIn(own.text), exit: code ?? -1 }
}

type Told = { readonly kind: Answered['kind']; readonly text: string }

function ofClaude(said: Record<string, never>, { code, stderr }: Pick<Outcome, 'code' | 'stderr'>): Told {
  if (code !== 0) return { kind: 'denied', text: stderr.trim() }
  const own = Object(said['hookSpecificOutput']) as Record<string, string>
  const { permissionDecision, permissionDecisionReason, additionalContext } = own
  if (permissionDecision === 'deny') return { kind: 'denied', text: permissionDecisionReason ?? '' }
  if (permissionDecision === 'ask') return { kind: 'asked', text: permissionDecisionReason ?? '' }
  if (said['decision'] === 'block') return { kind: 'denied', text: said['reason'] ?? '' }
  return additionalContext === undefined ? { kind: 'allowed', text: '' } : { kind: 'context', text: additionalContext }
}

function ofAny(said: Record<string, never>, code: number | null): Told {
  if (code !== 0) return { kind: 'denied', text: JSON.stringify(said) }
  return 'context' in said ? { kind: 'context', text: said['context'] } : { kind: 'allowed', text: '' }
}

function refusalIn(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** The tools with which Claude Code writes a file, and runs a command. */
export const write = (file_path: string) => ({ tool: 'Write', input: { file_path, content: 'x\n' } })
export const bash = (command: string) => ({ tool: 'Bash', input: { command } })

/** Binds the session `s` to INT-001, which owns `src/**`, as its MCP server would. */
export async function bind(repo: Repo, wish: Parameters<typeof selected>[1] = {}): Promise<void> {
  await selected(repo, wish)
}
