import { Client, type ElicitResult, InMemoryTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openMcpSession } from '../../src/shells/cli/mcp.ts'
import { serveMcp } from '../../src/shells/mcp/server.ts'
import { governedRepo } from './governed-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

/** The two eras of the protocol: with a handshake, and without one. */
export const PROTOCOL_ERAS = ['2025-11-25', '2026-07-28'] as const

/** The official client of the protocol, connected to a server in a repository. */
export type McpClient = AsyncDisposable & {
  readonly client: Client
  /** The names of the tools that are listed. */
  tools(): Promise<string[]>
  call(name: string, args?: Record<string, unknown>): Promise<McpToolResult>
  /** Resolves with the names of the tools when the server says that they have changed. */
  readonly changed: Promise<string[]>
}

export type McpToolResult = {
  readonly isError: boolean
  readonly text: string
  // Tests look into documents of every shape.
  readonly value: Record<string, never>
}

type ClientOptions = {
  readonly era?: (typeof PROTOCOL_ERAS)[number]
  readonly name?: string
  readonly env?: Record<string, string>
  /** What is answered to a question that a person is asked; without it the client can ask nobody. */
  readonly person?: (message: string) => ElicitResult | Promise<ElicitResult>
}

/** Connects a client to a server in this process. */
export async function connectMcp(repo: Repo, options: ClientOptions = {}): Promise<McpClient> {
  const session = openMcpSession({ cwd: repo.root, env: { ...repo.env(), ...options.env } })
  // It has no process of its own, and what a test runs would all be below it: the first process is nobody's ancestor.
  const { identity } = session.host
  if (identity.pid !== null) session.host.identity = { ...identity, pid: 1 }
  const [near, far] = InMemoryTransport.createLinkedPair()
  serveMcp(session.host, { transport: far })
  return connectTo(near, options, session.end)
}

/** Connects a client to a `kotef mcp` in a process of its own, before which some words come. */
export function spawnMcp(
  repo: Repo,
  { before = '', ...options }: ClientOptions & { before?: string } = {},
): Promise<McpClient> {
  const server = { command: 'sh', args: ['-c', `exec ${before}kotef mcp`], cwd: repo.root }
  const transport = new StdioClientTransport({ ...server, env: { ...repo.env(), ...options.env } })
  return connectTo(transport, options, async () => {})
}

async function connectTo(
  transport: Transport,
  { era = '2025-11-25', name = 'tester', person }: ClientOptions,
  onClosed: () => Promise<void>,
): Promise<McpClient> {
  let resolve: (names: string[]) => void = () => {}
  const changed = new Promise<string[]>(it => (resolve = it))
  const mode = era === '2025-11-25' ? 'legacy' : { pin: era }
  const onChanged = (_: unknown, tools: readonly { name: string }[] | null) => resolve((tools ?? []).map(it => it.name))
  const client = new Client(
    { name, version: '1' },
    {
      versionNegotiation: { mode },
      listChanged: { tools: { onChanged, debounceMs: 0 } },
      capabilities: person ? { elicitation: { form: {} } } : {},
    },
  )
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message))
  await client.connect(transport)
  return {
    client,
    changed,
    tools: async () => (await client.listTools()).tools.map(it => it.name),
    call: async (tool, args = {}) => {
      const { isError, content, structuredContent } = await client.callTool({ name: tool, arguments: args })
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      return { isError: isError === true, text, value: structuredContent as Record<string, never> }
    },
    async [Symbol.asyncDispose]() {
      await client.close()
      await onClosed()
    },
  }
}

/** A governed repository in which nobody works on INT-001, which owns `src/**`; made once a worker, and copied. */
export async function idleRepo(): Promise<Repo> {
  idle ??= makeIdleRepo()
  return copyGoverned(await idle)
}

let idle: Promise<Repo> | undefined

async function makeIdleRepo(): Promise<Repo> {
  const repo = await governedRepo()
  const { code, stderr } = await repo.kotef('session', 'end')
  if (code !== 0) throw new Error(stderr)
  return repo
}
