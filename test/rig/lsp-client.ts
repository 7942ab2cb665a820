// A real `kotef lsp` with an editor in front of it: `open`, `change`, `hover`, `actions`; waits for `diagnostics`.

import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'
import type { CodeAction, CodeLens, Diagnostic, Hover } from 'vscode-languageserver/node'
import type { StatusParams } from '../../src/shells/lsp/status-notification.ts'
import type { Repo } from './repo.ts'

/** A client of `kotef lsp`, as an editor is one: a process of its own, over stdin and stdout. */
export type LspClient = AsyncDisposable & {
  readonly connection: MessageConnection
  readonly server: ChildProcess
  /** Resolves with the exit code of the server. */
  readonly ended: Promise<number | null>
  /** What the server said in its answer to `initialize`. */
  readonly answer: Record<string, never>
  open(path: string, text: string): Promise<void>
  /** Replaces the whole text. */
  change(path: string, text: string): Promise<void>
  save(path: string): Promise<void>
  close(path: string): Promise<void>
  /** The diagnostics of a file, as soon as the newest that were published are as wanted. */
  diagnostics(path: string, isWanted: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>
  /** How often diagnostics of a file were published. */
  published(path: string): number
  /** The text of the hover at a line (1-based); null when there is none. */
  hover(path: string, line: number): Promise<string | null>
  lenses(path: string): Promise<CodeLens[]>
  actions(path: string): Promise<CodeAction[]>
  run(action: CodeAction | undefined): Promise<unknown>
  /** The first status, among those that came and come, which is as wanted. */
  status(isWanted: (status: StatusParams) => boolean): Promise<StatusParams>
  /** The first message for the person, among those that came and come, which matches. */
  message(pattern: RegExp): Promise<string>
  /** All messages for the person until now. */
  readonly messages: readonly string[]
  /** The parameters of the requests of the server to show a document. */
  readonly shown: readonly { readonly uri: string; readonly selection: { start: { line: number } } }[]
}

type LspOptions = {
  /** Absolute paths; the repository by default. */
  readonly folders?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly capabilities?: object
  readonly initializationOptions?: object
  /** False for a server that has not got an `initialize` call yet. */
  readonly initialize?: boolean
}

const CAPABILITIES = {
  textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } },
  window: { showDocument: { support: true } },
  workspace: { workspaceFolders: true },
}

/** The URI of a path of a repository, or of an absolute path. */
export function uriIn({ root }: Pick<Repo, 'root'>, path: string): string {
  return pathToFileURL(path.startsWith('/') ? path : join(root, path)).href
}

/** Starts `kotef lsp` in a repository, and connects to it. */
export async function startLsp(repo: Repo, options: LspOptions = {}): Promise<LspClient> {
  const { folders = [repo.root], env = {}, capabilities = CAPABILITIES, initializationOptions } = options
  const server = spawn('sh', ['-c', 'exec kotef lsp --stdio'], { cwd: repo.root, env: { ...repo.env(), ...env } })
  const ended = new Promise<number | null>(resolve => server.once('close', resolve))
  const connection = createMessageConnection(server.stdout, server.stdin)
  const received = receiver(connection)
  const shown: LspClient['shown'][number][] = []
  connection.onRequest('window/showDocument', params => {
    shown.push(params as (typeof shown)[number])
    return { success: true }
  })
  connection.listen()
  const workspaceFolders = folders.map(it => ({ uri: uriIn(repo, it), name: it }))
  const wishes = { processId: process.pid, rootUri: null, capabilities, workspaceFolders, initializationOptions }
  const isInitialized = options.initialize !== false
  const answer = isInitialized ? await connection.sendRequest<Record<string, never>>('initialize', wishes) : {}
  if (isInitialized) await connection.sendNotification('initialized', {})
  return {
    ...documentsOf(repo, connection),
    ...received.waits(path => uriIn(repo, path)),
    ...{ connection, server, ended, answer, shown },
    async [Symbol.asyncDispose]() {
      connection.dispose()
      server.stdin.end()
      await ended
    },
  }
}

function documentsOf(repo: Repo, connection: MessageConnection) {
  const versions = new Map<string, number>()
  const about = (path: string) => ({ textDocument: { uri: uriIn(repo, path) } })
  const newVersion = (path: string): object => {
    versions.set(path, (versions.get(path) ?? 0) + 1)
    return { uri: uriIn(repo, path), version: versions.get(path) }
  }
  const start = { line: 0, character: 0 }
  return {
    open: (path: string, text: string) => {
      const textDocument = { ...newVersion(path), languageId: 'text', text }
      return connection.sendNotification('textDocument/didOpen', { textDocument })
    },
    change: (path: string, text: string) =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: newVersion(path),
        contentChanges: [{ text }],
      }),
    save: (path: string) => connection.sendNotification('textDocument/didSave', about(path)),
    close: (path: string) => connection.sendNotification('textDocument/didClose', about(path)),
    hover: async (path: string, line: number) => {
      const params = { ...about(path), position: { line: line - 1, character: 0 } }
      const hover = await connection.sendRequest<Hover | null>('textDocument/hover', params)
      return hover && (hover.contents as { value: string }).value
    },
    lenses: (path: string) => connection.sendRequest<CodeLens[]>('textDocument/codeLens', about(path)),
    actions: (path: string) => {
      const context = { diagnostics: [] }
      const params = { ...about(path), range: { start, end: start }, context }
      return connection.sendRequest<CodeAction[]>('textDocument/codeAction', params)
    },
    run: (action: CodeAction | undefined) => {
      if (!action?.command) throw new Error('There is no such action.')
      const { command, arguments: args } = action.command
      return connection.sendRequest('workspace/executeCommand', { command, arguments: args })
    },
  }
}

/** Keeps what the server sends, so that a test can wait for something that may have come already. */
function receiver(connection: MessageConnection) {
  const newest = new Map<string, readonly Diagnostic[]>()
  const counts = new Map<string, number>()
  const statuses: StatusParams[] = []
  const messages: string[] = []
  const waiting = new Set<() => void>()
  const wake = (): void => [...waiting].forEach(it => it())
  const keep = <T>(all: T[], it: T): void => {
    all.push(it)
    wake()
  }
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    newest.set(uri, diagnostics)
    counts.set(uri, (counts.get(uri) ?? 0) + 1)
    wake()
  })
  connection.onNotification('kotef/status', (it: StatusParams) => keep(statuses, it))
  connection.onNotification('window/showMessage', ({ message }) => keep(messages, message))
  connection.onNotification('window/logMessage', ({ message }) => keep(messages, `log ${message}`))
  const until = <T>(find: () => T | undefined): Promise<T> =>
    new Promise(resolve => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return void waiting.add(look)
        waiting.delete(look)
        resolve(found)
      }
      look()
    })
  return {
    waits: (uriOf: (path: string) => string) => ({
      messages,
      published: (path: string) => counts.get(uriOf(path)) ?? 0,
      diagnostics: (path: string, isWanted: (all: readonly Diagnostic[]) => boolean) =>
        until(() => {
          const all = newest.get(uriOf(path))
          return all && isWanted(all) ? all : undefined
        }),
      status: (isWanted: (status: StatusParams) => boolean) => until(() => statuses.find(isWanted)),
      message: (pattern: RegExp) => until(() => messages.find(it => pattern.test(it))),
    }),
  }
}
