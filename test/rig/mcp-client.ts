import { Client, type ElicitResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { governedRepo } from './governed-repo.ts'
import { copyGoverned } from './hooked-repo.ts'
import type { Repo } from './repo.ts'

/** The two eras of the protocol: with a handshake, and without one. */
export const PROTOCOL_ERAS = ['2025-11-25', '2026-07-28'] as const

/** The official client, at a real `kotef mcp` in a repository. */
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
  readonly before?: string
  /** What is answered to a question that a person is asked; without it the client can ask nobody. */
  readonly person?: (message: string) => ElicitResult | Promise<ElicitResult>
}

export async function connectMcp(
  repo: Repo,
  { era = '2025-11-25', name = 'tester', env = {}, before = '', person }: ClientOptions = {},
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
  const around = {
    command: 'sh',
    args: ['-c', `exec ${before}kotef mcp`],
    cwd: repo.root,
    env: { ...repo.env(), ...env },
  }
  await client.connect(new StdioClientTransport(around))
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
    [Symbol.asyncDispose]: () => client.close(),
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
