import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ModelRequest, AnyJson, SpelledAction, StreamEvent, ModelProtocol } from './protocol.ts'

/** A model that does what it is told to, on this machine alone. */
export type ModelServer = AsyncDisposable & {
  readonly url: string
  /** What was asked so far, a line each: method, path, and how much. */
  readonly requests: readonly string[]
}

/** Serves a model in the words of a wire: each turn of the conversation is handed over, and answered. */
export async function startModelServer(
  wire: ModelProtocol,
  turn: (asked: ModelRequest) => Promise<SpelledAction>,
): Promise<ModelServer> {
  const requests: string[] = []
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '' } = request
    const body = bodyIn(await text(request))
    const asked = method === 'POST' ? wire.decode(path, body) : null
    requests.push(`${method} ${path}${asked ? ` with ${asked.tools.length} tools` : ''}`)
    if (method !== 'POST') return void response.writeHead(method === 'HEAD' ? 200 : 404).end()
    const said = asked ? await turn(asked) : { text: 'Fine.' }
    const about = { id: String(requests.length), model: body.model ?? modelIn(path) }
    stream(response, wire.encode(said, about))
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function stream(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const { event, data } of events) {
    const line = typeof data === 'string' ? data : JSON.stringify(data)
    response.write(`${event ? `event: ${event}\n` : ''}data: ${line}\n\n`)
  }
  response.end()
}

function bodyIn(text: string): AnyJson {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

// Gemini names its model in the path.
function modelIn(path: string): string {
  return /models\/([^:]+):/.exec(path)?.[1] ?? 'scripted'
}
