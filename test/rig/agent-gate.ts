// Whether an agent may use a tool: `askGate`; with all hooks `useTool`; `before: ''` asks a hook in its own process.

import { selectOrThrow } from './selection.ts'
import { runAgentHook } from './agent-hooks.ts'
import type { Repo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'

/** A use of a tool that an agent asks for; `s` in the top of the worktree unless told. */
export type ToolUse = {
  readonly tool: string
  readonly input: object
  readonly session?: string
  readonly cwd?: string
  /** Asked of a process of its own, as by a real agent; these words come before the program. */
  readonly before?: string
}

/** What an agent's hook answered. */
export type HookAnswer = {
  readonly kind: 'allowed' | 'denied' | 'asked' | 'context'
  /** What the agent can read. */
  readonly text: string
  /** The refusal, if it is one. */
  readonly refusal: Readonly<Record<string, unknown>>
  readonly exit: number
}

type HookPoint = 'before-tool' | 'after-tool' | 'prompt' | 'session-start' | 'compacted' | 'settings-change'

/** A moment, with whatever else the agent says then. */
type HookUse = { readonly at: HookPoint; readonly file_path?: string; readonly path?: string } & Partial<ToolUse>

/** The agents that these tests know to speak for. */
export const GATED_AGENTS = ['claude', 'generic'] as const
type GatedAgent = (typeof GATED_AGENTS)[number]

const CLAUDE_EVENTS: Readonly<Record<HookPoint, string>> = {
  ...{ 'before-tool': 'PreToolUse', 'after-tool': 'PostToolUse', prompt: 'UserPromptSubmit' },
  ...{ 'session-start': 'SessionStart', compacted: 'SessionStart', 'settings-change': 'ConfigChange' },
}

/** Runs an agent's hook at a moment: in this process, unless something is to come before the program. */
export async function callHook(repo: Repo, agent: GatedAgent, use: HookUse): Promise<HookAnswer> {
  const { at, tool, input, session = 's', cwd = repo.root, before, ...more } = use
  const payload =
    agent === 'generic'
      ? { event: at, session, cwd, tool, input, ...more }
      : {
          ...{ session_id: session, cwd, hook_event_name: CLAUDE_EVENTS[at], tool_name: tool, tool_input: input },
          ...{ tool_use_id: 'c', source: at === 'compacted' ? 'compact' : 'startup', ...more },
        }
  const stdin = JSON.stringify(payload)
  if (before === undefined) return answerIn(agent, await runAgentHook(repo, agent, stdin))
  return answerIn(agent, await repo.run('sh', ['-c', `exec ${before}kotef agent-hook ${agent}`], { input: stdin }))
}

/** May this agent use this tool? */
export function askGate(repo: Repo, agent: GatedAgent, use: ToolUse): Promise<HookAnswer> {
  return callHook(repo, agent, { at: 'before-tool', ...use })
}

/** Lets an agent use a tool to its end, when it may: what was answered before and after. */
export async function useTool(repo: Repo, agent: GatedAgent, use: ToolUse & { readonly does: () => Promise<unknown> }) {
  const { does, ...asked } = use
  const before = await askGate(repo, agent, asked)
  if (before.kind === 'denied') return { before, after: before }
  await does()
  return { before, after: await callHook(repo, agent, { at: 'after-tool', ...asked }) }
}

function answerIn(agent: GatedAgent, { code, stdout, stderr }: ProgramResult): HookAnswer {
  const output = stdout === '' ? {} : (JSON.parse(stdout) as Record<string, never>)
  const own = agent === 'claude' ? claudeAnswer(output, { code, stderr }) : genericAnswer(output, code)
  return { ...own, refusal: refusalIn(own.text), exit: code ?? -1 }
}

type AnswerText = { readonly kind: HookAnswer['kind']; readonly text: string }

function claudeAnswer(
  said: Record<string, never>,
  { code, stderr }: Pick<ProgramResult, 'code' | 'stderr'>,
): AnswerText {
  if (code !== 0) return { kind: 'denied', text: stderr.trim() }
  const own = Object(said['hookSpecificOutput']) as Record<string, string>
  const { permissionDecision, permissionDecisionReason, additionalContext } = own
  if (permissionDecision === 'deny') return { kind: 'denied', text: permissionDecisionReason ?? '' }
  if (permissionDecision === 'ask') return { kind: 'asked', text: permissionDecisionReason ?? '' }
  if (said['decision'] === 'block') return { kind: 'denied', text: said['reason'] ?? '' }
  return additionalContext === undefined ? { kind: 'allowed', text: '' } : { kind: 'context', text: additionalContext }
}

function genericAnswer(said: Record<string, never>, code: number | null): AnswerText {
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
export const writeTool = (file_path: string) => ({ tool: 'Write', input: { file_path, content: 'x\n' } })
export const bashTool = (command: string) => ({ tool: 'Bash', input: { command } })

/** Binds the session `s` to INT-001, which owns `src/**`, as its MCP server would. */
export async function bindSession(repo: Repo, wish: Parameters<typeof selectOrThrow>[1] = {}): Promise<void> {
  await selectOrThrow(repo, wish)
}
