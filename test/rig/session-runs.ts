import { join } from 'node:path'
import { expect } from 'vitest'
import { runAgentHook } from './agent-hooks.ts'
import { hookedRepo } from './hooked-repo.ts'
import type { Repo } from './repo.ts'
import { selectOrThrow } from './selection.ts'

/** One intent, done when a file is there. */
export const CHECKED_REGISTRY = `version: 1
active_intents:
  - id: INT-001
    name: work
    status: PENDING
    owned_scope: ["src/**"]
    acceptance_criteria: [{ cmd: "test -f src/done.ts" }]
`

type Said = {
  readonly decision?: string
  readonly reason?: string
  readonly hookSpecificOutput?: Record<string, string>
}

/** Claude Code in session `s` on INT-001: what its hooks answer, as one text; empty for silence. */
export function answeredClaude(repo: Repo, session = 's') {
  let calls = 0
  const say = async (event: string, more: object = {}): Promise<string> => {
    const payload = { session_id: session, cwd: repo.root, hook_event_name: event, ...more }
    const { code, stdout, stderr } = await runAgentHook(repo, 'claude', JSON.stringify(payload))
    expect([code, stderr]).toEqual([0, ''])
    const { reason, hookSpecificOutput: own } = JSON.parse(stdout || '{}') as Said
    return reason ?? own?.['permissionDecisionReason'] ?? own?.['additionalContext'] ?? ''
  }
  const use = (tool_name: string, tool_input: object) => ({ tool_name, tool_input, tool_use_id: String(++calls) })
  return {
    say,
    /** Runs a command to its end, unless that is refused. */
    async runs(command: string, { exit = 0, output = '' } = {}): Promise<string> {
      const call = use('Bash', { command })
      const refused = await say('PreToolUse', call)
      if (refused !== '') return refused
      if (exit !== 0) return say('PostToolUseFailure', { ...call, error: `Exit code ${exit}\n${output}` })
      return say('PostToolUse', { ...call, tool_response: { stdout: output, stderr: '', interrupted: false } })
    },
    /** Uses a tool that answers at once. */
    async uses(tool: string, input: object): Promise<string> {
      const call = use(tool, input)
      const refused = await say('PreToolUse', call)
      return refused || say('PostToolUse', { ...call, tool_response: { success: true } })
    },
    /** Runs a real command of kotef. */
    async runsKotef(...words: string[]): Promise<string> {
      const call = use('Bash', { command: `kotef ${words.join(' ')}` })
      expect(await say('PreToolUse', call)).toBe('')
      const { stdout } = await repo.kotef(...words)
      return say('PostToolUse', { ...call, tool_response: { stdout, stderr: '', interrupted: false } })
    },
    async writes(path: string, content: string): Promise<string> {
      const call = use('Write', { file_path: join(repo.root, path), content })
      const refused = await say('PreToolUse', call)
      if (refused !== '') return refused
      await repo.write(path, content)
      return say('PostToolUse', { ...call, tool_response: { type: 'update', content } })
    },
  }
}

/** A repository in which session `s` has selected INT-001. */
export async function selectedRepo(registry = CHECKED_REGISTRY): Promise<Repo> {
  const repo = await hookedRepo({ registry, start: null })
  await selectOrThrow(repo)
  return repo
}

/** What some work answers, each time. */
export const times = async (count: number, work: (n: number) => Promise<string>): Promise<string[]> => {
  const answers: string[] = []
  for (let n = 1; n <= count; n++) answers.push(await work(n))
  return answers
}
