import { bundleProgram } from './racers.ts'
import type { Repo } from './repo.ts'
import type { ProgramResult } from './run-program.ts'

/** An agent as a process, with hooks and an MCP server of its own; it is killed when the test is over. */
export type AgentWithServer = AsyncDisposable & {
  readonly pid: number
  /** Its hook is told that it is about to call a tool, in a process that is gone then. */
  announce(tool: string, intent?: string | null, as?: string): Promise<void>
  /** Runs its hook with a payload of `kotef agent-hook generic`. */
  hook(payload: object): Promise<ProgramResult>
  /** Runs commands of a shell, as its tool does. */
  run(commands: string): Promise<ProgramResult>
  /** Calls a tool of its MCP server; what it answers, as a value. */
  call(name: string, args?: object): Promise<Record<string, unknown>>
  /** Knocks, and selects; also as the next session in the same process. */
  select(intent: string, as?: string): Promise<Record<string, unknown>>
  /** Dies at once, and its server with it. */
  kill(): Promise<void>
}

type AgentOptions = {
  readonly session: string
  readonly model?: string | null
  readonly env?: Record<string, string>
  /** Without one, the test selects for the agent's process. */
  readonly hasServer?: boolean
}

/** Starts an agent in a repository, which its session is the name of. */
export async function startAgent(
  repo: Repo,
  { session, model = null, env = {}, hasServer = true }: AgentOptions,
): Promise<AgentWithServer> {
  const agent = repo.start(process.execPath, [bundleProgram('agent-process'), ...(hasServer ? [] : ['alone'])], { env })
  await agent.line(/^ready$/)
  let count = 0
  const send = async (order: object) => {
    const n = ++count
    agent.type(`${JSON.stringify({ n, ...order })}\n`)
    return JSON.parse((await agent.line(new RegExp(`^${n} `))).slice(`${n} `.length)) as never
  }
  const announce = async (tool: string, intent: string | null = null, as = session) => {
    const input = intent === null ? {} : { intent_id: intent }
    const hook = { event: 'before-tool', session: as, agent: `agent of ${as}`, model, tool, input }
    const { code, stdout, stderr }: ProgramResult = await send({ hook })
    if (code !== 0) throw new Error(stdout + stderr)
  }
  const call = async (name: string, args: object = {}) => {
    const { structuredContent }: { structuredContent: Record<string, unknown> } = await send({ call: name, args })
    return structuredContent
  }
  return {
    pid: agent.pid,
    announce,
    call,
    hook: payload => send({ hook: { session, model, ...payload } }),
    run: commands => send({ run: commands }),
    async select(intent, as = session) {
      await announce('mcp__kotef__select_active_intent', intent, as)
      return call('select_active_intent', { intent_id: intent })
    },
    async kill() {
      agent.signal('SIGKILL')
      await agent.ended
    },
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  }
}
