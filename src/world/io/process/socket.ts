import { chmod, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'

/** Answers one request over a local socket. Request and answers are JSON documents, one a line. */
export type RequestHandler = (request: unknown, send: (answer: unknown) => void, gone: AbortSignal) => Promise<void>

/** Listens on a local socket that only this user may open. */
export async function serveSocket(path: string, answer: RequestHandler): Promise<AsyncDisposable> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    const gone = new AbortController()
    socket.on('error', () => {})
    socket.on('close', () => {
      open.delete(socket)
      gone.abort()
    })
    socket.on('data', () => socket.bytesRead > REQUEST_BYTES_MAX && socket.destroy())
    linesOf(socket).once('line', line => void handleRequestLine(socket, { line, answer, gone: gone.signal }))
  })
  await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  if (process.platform !== 'win32') await chmod(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of open) socket.destroySoon()
      await closed
    },
  }
}

async function handleRequestLine(
  socket: Socket,
  { line, answer, gone }: { line: string; answer: RequestHandler; gone: AbortSignal },
) {
  const send = (it: unknown): void => {
    if (socket.writableLength > UNREAD_BYTES_MAX) socket.destroy()
    else socket.write(`${JSON.stringify(it)}\n`)
  }
  try {
    await answer(JSON.parse(line), send, gone)
  } catch (thrown) {
    send({ error: { code: 'bug', message: String(thrown) } })
  }
  socket.end()
}

// Anybody with the user's rights may connect: what one client sends or leaves unread must not fill the memory.
const REQUEST_BYTES_MAX = 1_048_576
const UNREAD_BYTES_MAX = 16 * 1_048_576

/** The server accepted the request and does not answer. */
export class SocketTimeout extends Error {}

/**
 * Sends one request and yields each answer, until the server ends the connection. Throws when no server listens, and
 * SocketTimeout when no answer comes for so many milliseconds; 0 waits for ever.
 */
export async function* askSocket(path: string, request: unknown, timeoutMs: number): AsyncGenerator<unknown, void> {
  const socket = connect(path)
  let timedOut = false
  socket.setTimeout(timeoutMs, () => {
    timedOut = true
    socket.destroy()
  })
  try {
    await new Promise<void>((resolve, reject) => socket.once('error', reject).once('connect', resolve))
    socket.on('error', () => {})
    socket.write(`${JSON.stringify(request)}\n`)
    const lines = linesOf(socket)
    socket.once('close', () => lines.close())
    for await (const line of lines) yield JSON.parse(line)
    if (timedOut) throw new SocketTimeout()
  } finally {
    socket.destroy()
  }
}

// The interface forwards each error of its socket; without a listener that would end the process.
function linesOf(socket: Socket): Interface {
  return createInterface(socket).on('error', () => {})
}
