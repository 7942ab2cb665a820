import { bundled } from './racing.ts'
import type { Repo } from './repo.ts'
import type { Outcome } from './run.ts'

/** An agent as a process, with hooks and an MCP server of its own; it is killed when the test is over. */
export type TiedAgent = AsyncDisposable & {
  readonly pid: number
  /** Its hook is told that it is about to call a tool, in a process that is gone then. */
  knock(tool: string, intent?: string | null, as?: string): Promise<void>
  /** Runs its hook with a payload of `kotef agent-hook generic`. */
  hook(payload: object): Promise<Outcome>
  /** Calls a tool of its MCP server; what it answers, as a value. */
  call(name: string, args?: object): Promise<Record<string, unknown>>
  /** Knocks, and selects; also as the next session in the same process. */
  select(intent: string, as?: string): Promise<Record<string, unknown>>
  /** Dies at once, and its server with it. */
  die(): Promise<void>
}

type Wish = { readonly session: string; readonly model?: string | null; readonly env?: Record<string, string> }

/** Starts an agent in a repository, which its session is the name of. */
export async function agentIn(repo: Repo, { session, model = null, env = {} }: Wish): Promise<TiedAgent> {
  const agent = repo.start(process.execPath, [bundled('agent-process')], { env })
  await agent.line(/^ready$/)
  let count = 0
  const told = async (order: object) => {
    const n = ++count
    agent.type(`${JSON.stringify({ n, ...order })}\n`)
    return JSON.parse((await agent.line(new RegExp(`^${n} `))).slice(`${n} `.length)) as never
  }
  const knock = async (tool: string, intent: string | null = null, as = session) => {
    const input = intent === null ? {} : { intent_id: intent }
    const hook = { event: 'before-tool', session: as, agent: `agent of ${as}`, model, tool, input }
    const { code, stdout, stderr }: Outcome = await told({ hook })
    if (code !== 0) throw new Error(stdout + stderr)
  }
  const call = async (name: string, args: object = {}) => {
    const { structuredContent }: { structuredContent: Record<string, unknown> } = await told({ call: name, args })
    return structuredContent
  }
  return {
    pid: agent.pid,
    knock,
    call,
    hook: payload => told({ hook: { session, model, ...payload } }),
    async select(intent, as = session) {
      await knock('mcp__kotef__select_active_intent', intent, as)
      return call('select_active_intent', { intent_id: intent })
    },
    async die() {
      agent.signal('SIGKILL')
      await agent.ended
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  }
}
