import type { TextDocument } from 'vscode-languageserver-textdocument'
import { KotefError } from '../../core/base/failure.ts'
import { VERSION } from '../../world/io/files/package.ts'
import { clientWishes } from './client-wishes.ts'
import { type EditedFiles, openEditedFiles } from './edited-files.ts'
import { pathOfUri } from './file-uri.ts'
import type { Client, ClientWishes, LspHost } from './host.ts'
import { hoverAt, lensesOf } from './line-answers.ts'
import { type Messages, messagesTo } from './messages.ts'
import { isLspCommand, runLspCommand } from './run-command.ts'
import { LSP_COMMANDS, scopeActions } from './scope-actions.ts'
import { stateUpdates } from './state-updates.ts'
import { openWorktrees, type ServedFile, type Worktrees } from './worktrees.ts'

type LspServer = {
  readonly host: LspHost
  readonly client: Client
  readonly messages: Messages
  readonly worktrees: Worktrees
  readonly files: EditedFiles
  /** What the client said in its initialize call. */
  wishes: ClientWishes
}

/** Serves the Language Server Protocol to a client, until it ends the connection. */
export function serveLsp(host: LspHost, client: Client): void {
  const server = openServer(host, client)
  answerInitialize(server)
  followDocuments(server)
  answerQuestions(server)
  runCommands(server)
  client.documents.listen(client.connection)
  client.connection.listen()
}

function openServer(host: LspHost, client: Client): LspServer {
  const messages = messagesTo(client)
  const updates = stateUpdates(client, messages)
  const worktrees = openWorktrees(
    () => server.wishes.folders,
    (worktree, state) => {
      if (state === null) worktrees.drop(worktree)
      updates(worktree.workspace.root, state)
      files.judgeAll(worktree).catch(messages.log)
      if (server.wishes.refreshesLenses) client.connection.sendRequest('workspace/codeLens/refresh').catch(() => {})
    },
  )
  const files = openEditedFiles(client, worktrees)
  const server: LspServer = { host, client, messages, worktrees, files, wishes: clientWishes({}, host.cwd) }
  return server
}

function answerInitialize(server: LspServer): void {
  const { host, client, messages } = server
  const { connection, quickFix } = client
  connection.onInitialize(params => {
    server.wishes = clientWishes(params, host.cwd)
    return {
      serverInfo: { name: 'kotef', version: VERSION },
      capabilities: {
        positionEncoding: 'utf-16',
        textDocumentSync: { openClose: true, change: INCREMENTAL, save: true },
        hoverProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [quickFix] },
        executeCommandProvider: { commands: [...LSP_COMMANDS] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  })
  const openFolders = () => Promise.all(server.wishes.folders.map(it => server.worktrees.open(it)))
  connection.onInitialized(() => {
    openFolders().catch(messages.log)
    if (!server.wishes.watchesFolders) return
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const [more, fewer] = [added, removed].map(all => all.flatMap(it => pathOfUri(it.uri) ?? []))
      const kept = server.wishes.folders.filter(it => !fewer?.includes(it))
      server.wishes = { ...server.wishes, folders: [...kept, ...(more ?? [])] }
      openFolders().then(() => server.files.judgeEvery(), messages.log)
    })
  })
}

// The protocol's number for documents that are changed part by part.
const INCREMENTAL = 2

function followDocuments({ client: { documents }, files, messages }: LspServer): void {
  documents.onDidChangeContent(({ document }) => void files.judge(document).catch(messages.log))
  documents.onDidClose(({ document }) => files.close(document))
  // The first question about a file is usually about its authors.
  const prefetch = async (uri: string): Promise<void> => {
    const file = await files.servedFile(uri)
    if (file?.worktree.state().policy) await file.worktree.blame.read(file.path)
  }
  documents.onDidOpen(({ document }) => void prefetch(document.uri).catch(messages.log))
  documents.onDidSave(({ document }) => void prefetch(document.uri).catch(messages.log))
}

function answerQuestions(server: LspServer): void {
  const { client, files, messages } = server
  const { connection, documents, quickFix } = client
  /** The answer about a document that is open and served; `nothing` where there is none, or when it can't be found. */
  const answerAbout = async <T>(uri: string, nothing: T, answer: (asked: AskedFile) => T | Promise<T>): Promise<T> => {
    try {
      const document = documents.get(uri)
      const file = document && (await files.servedFile(uri))
      return document && file ? await answer({ document, file }) : nothing
    } catch (thrown) {
      messages.log(thrown)
      return nothing
    }
  }
  connection.onHover(({ textDocument: { uri }, position }) =>
    answerAbout(uri, null, ({ document, file }) => hoverAt(file, { document, position }, server.wishes)),
  )
  connection.onCodeLens(({ textDocument: { uri } }) =>
    answerAbout(uri, [], ({ document, file }) => lensesOf(file, document, server.wishes)),
  )
  connection.onCodeAction(({ textDocument: { uri }, range }) =>
    answerAbout(uri, [], ({ file }) => {
      const diagnostic = files.diagnosticOf(uri)
      const isThere = diagnostic !== null && range.start.line <= diagnostic.range.end.line
      return isThere ? scopeActions(file, { uri, diagnostic, quickFix }) : []
    }),
  )
}

type AskedFile = { readonly document: TextDocument; readonly file: ServedFile }

function runCommands(server: LspServer): void {
  const { client, files, host, messages } = server
  client.connection.onExecuteCommand(async ({ command, arguments: [uri, intent] = [] }) => {
    try {
      const file = await files.servedFile(uri)
      if (!isLspCommand(command) || typeof intent !== 'string' || file === null)
        throw new KotefError('usage', 'The command is not one of kotef, or is not about a file of this worktree.')
      const text = await runLspCommand({ command, file, intent }, { host, client, wishes: server.wishes })
      if (text !== null) messages.inform(text)
    } catch (thrown) {
      messages.fail(thrown)
    }
    return null
  })
}
