import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

const OWN = 'kotef'

// A process of its own that stands for an agent: its hooks and its MCP server are its children, as they are a real
// one's. It does what it is told on stdin, a JSON object a line, and answers each with a line.
await runOrders()

type Order = {
  readonly n: number
  readonly hook?: object
  readonly run?: string
  readonly call?: string
  readonly args?: object
}

async function runOrders(): Promise<void> {
  const server = process.argv[2] === 'alone' ? null : await startServer()
  process.stdout.write('ready\n')
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order
    void answerTo(order, server).then(answer => process.stdout.write(`${order.n} ${JSON.stringify(answer)}\n`))
  }
  await server?.end()
}

type Server = { readonly ask: Ask; readonly end: () => Promise<unknown> }

async function startServer(): Promise<Server> {
  const server = spawn(OWN, ['mcp'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number, (answer: unknown) => void>()
  createInterface({ input: server.stdout }).on('line', line => {
    const { id, result, error } = JSON.parse(line) as { id?: number; result?: unknown; error?: unknown }
    if (id !== undefined) waiting.get(id)?.(result ?? { error })
  })
  const ask = async (id: number, method: string, params: object) => {
    const answer = new Promise<unknown>(resolve => waiting.set(id, resolve))
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return answer
  }
  const clientInfo = { name: 'client', version: '1' }
  await ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  const end = () => {
    server.stdin.end()
    return once(server, 'close')
  }
  return { ask, end }
}

type Ask = (id: number, method: string, params: object) => Promise<unknown>

async function answerTo({ n, hook, run, call, args = {} }: Order, server: Server | null): Promise<unknown> {
  if (hook) return outcomeOf(OWN, ['agent-hook', 'generic'], hook)
  if (run !== undefined) return outcomeOf('sh', ['-c', run], {})
  return server?.ask(n, 'tools/call', { name: call, arguments: args })
}

async function outcomeOf(command: string, words: string[], input: object): Promise<object> {
  const child = spawn(command, words)
  child.stdin.on('error', () => {}) // A command that leaves another one running ends without reading it.
  child.stdin.end(JSON.stringify(input))
  const ended = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await ended) as [number | null]
  return { code, stdout, stderr }
}
