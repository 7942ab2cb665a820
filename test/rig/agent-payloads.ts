import type { Repo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'
import { runAgentHook } from './agent-hooks.ts'

type Payload = Readonly<Record<string, unknown>>

/** How an agent says in session `s` that it is about to write a file, and that it has; and how it is refused. */
export type AgentPayloads = {
  readonly agent: string
  /** The model as the ledger names it; null where the agent never says. */
  readonly model: string | null
  readonly before: (path: string, repo: Repo) => Payload
  readonly after: (path: string, repo: Repo) => Payload
  /** A person has spoken to it, or where nothing can be said then, it begins. */
  readonly prompt: (repo: Repo) => Payload
  /** Why a hook's answer refuses; null when it allows. */
  readonly refusal: (outcome: ProgramResult) => string | null
  /** What a hook's answer has the model read. */
  readonly contextIn: (said: Payload) => unknown
}

/** Each agent that kotef has an adapter for, but for Claude Code and the generic one, which other tests speak for. */
export const AGENT_PAYLOADS: readonly AgentPayloads[] = [
  {
    ...claudeLike('codex', ['PreToolUse', 'PostToolUse'], path => ({
      tool_name: 'apply_patch',
      tool_input: { command: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` },
      ...{ model: 'gpt-x', tool_use_id: 'c', turn_id: 't', permission_mode: 'default', transcript_path: null },
    })),
    model: 'openai/gpt-x',
    prompt: ({ root }) => ({ session_id: 's', cwd: root, hook_event_name: 'UserPromptSubmit', prompt: 'p' }),
    contextIn: ({ hookSpecificOutput: it }) => (it as Payload)['additionalContext'],
    refusal: ({ code, stdout, stderr }) => (code === 2 ? stderr : textAt(stdout, PERMISSION_FIELDS, 'deny')),
  },
  {
    ...claudeLike('gemini', ['BeforeTool', 'AfterTool'], path => ({
      ...{ tool_name: 'write_file', tool_input: { file_path: path, content: 'x\n' }, timestamp: '2026-11-20' },
    })),
    model: null,
    prompt: ({ root }) => ({ session_id: 's', cwd: root, hook_event_name: 'BeforeAgent', prompt: 'p' }),
    contextIn: ({ hookSpecificOutput: it }) => (it as Payload)['additionalContext'],
    // What a hook says that ends with 2 counts only when it has a decision.
    refusal: ({ stdout }) => textAt(stdout, ['decision', 'reason'], 'deny'),
  },
  {
    agent: 'copilot',
    model: null,
    prompt: ({ root }) => ({ sessionId: 's', cwd: root, timestamp: 1, prompt: 'p' }),
    contextIn: it => it['additionalContext'],
    before: (path, { root }) => copilotPayload(path, root),
    after: (path, { root }) => ({ ...copilotPayload(path, root), toolResult: { resultType: 'success' } }),
    refusal: ({ code, stdout }) =>
      code === 0 ? null : textAt(stdout, ['permissionDecision', 'permissionDecisionReason'], 'deny'),
  },
  {
    ...claudeLike('cursor', ['preToolUse', 'postToolUse'], (path, { root }) => ({
      ...{ conversation_id: 's', workspace_roots: [root], cwd: undefined, model: 'claude-x', tool_use_id: 'c' },
      ...{ tool_name: 'Write', tool_input: { file_path: `${root}/${path}` } },
    })),
    model: 'anthropic/claude-x',
    prompt: ({ root }) => ({ conversation_id: 's', workspace_roots: [root], hook_event_name: 'sessionStart' }),
    contextIn: it => it['additional_context'],
    refusal: ({ stdout }) => (isPermitted(stdout) ? null : textAt(stdout, ['permission', 'user_message'], 'deny')),
  },
  {
    agent: 'opencode',
    model: null,
    prompt: ({ root }) => ({ event: 'prompt', session: 's', cwd: root }),
    contextIn: it => it['context'],
    before: (path, { root }) => ({ ...openCodePayload(path, root), event: 'before-tool' }),
    after: (path, { root }) => ({ ...openCodePayload(path, root), event: 'after-tool' }),
    refusal: ({ stdout }) => (JSON.parse(stdout) as { deny?: string }).deny ?? null,
  },
  {
    agent: 'cline',
    model: null,
    prompt: ({ root }) => ({ hookName: 'UserPromptSubmit', taskId: 's', workspaceRoots: [root] }),
    contextIn: it => it['contextModification'],
    before: (path, { root }) => clinePayload(path, root, 'pre'),
    after: (path, { root }) => clinePayload(path, root, 'post'),
    refusal: ({ stdout }) => {
      const { cancel, errorMessage } = JSON.parse(stdout) as { cancel: boolean; errorMessage?: string }
      return cancel ? (errorMessage ?? '') : null
    },
  },
]

/** Has an agent's hook hear what it says. */
export function sendPayload(repo: Repo, { agent }: AgentPayloads, payload: unknown): Promise<ProgramResult> {
  return runAgentHook(repo, agent, typeof payload === 'string' ? payload : JSON.stringify(payload))
}

type WritePayload = (path: string, repo: Repo) => Payload

function claudeLike(agent: string, [before, after]: readonly [string, string], payload: WritePayload) {
  const base = ({ root }: Repo) => ({ session_id: 's', cwd: root })
  return {
    agent,
    before: (path: string, repo: Repo) => ({ ...base(repo), ...payload(path, repo), hook_event_name: before }),
    after: (path: string, repo: Repo) => ({ ...base(repo), ...payload(path, repo), hook_event_name: after }),
  }
}

function copilotPayload(path: string, cwd: string): Payload {
  return { sessionId: 's', timestamp: 1, cwd, toolName: 'create', toolArgs: { path: `${cwd}/${path}`, file_text: 'x' } }
}

function openCodePayload(path: string, cwd: string): Payload {
  return { session: 's', cwd, tool: 'write', args: { filePath: `${cwd}/${path}`, content: 'x' }, call: 'c' }
}

function clinePayload(path: string, root: string, when: 'pre' | 'post'): Payload {
  const use = { toolName: 'write_to_file', parameters: { path, content: 'x' }, success: true }
  const hookName = when === 'pre' ? 'PreToolUse' : 'PostToolUse'
  return { clineVersion: '4', hookName, taskId: 's', workspaceRoots: [root], [`${when}ToolUse`]: use }
}

const PERMISSION_FIELDS = ['permissionDecision', 'permissionDecisionReason'] as const

function textAt(stdout: string, [decision, reason]: readonly [string, string], no: string): string | null {
  const said = stdout === '' ? {} : (JSON.parse(stdout) as Record<string, Record<string, string>>)
  const own = (said['hookSpecificOutput'] ?? said) as Record<string, string>
  return own[decision] === no ? (own[reason] ?? '') : null
}

function isPermitted(stdout: string): boolean {
  return (JSON.parse(stdout) as { permission?: string }).permission === 'allow'
}
