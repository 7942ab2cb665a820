import type { openConnection } from './lsp-connection.ts'
import type { Workspace } from '../../world/io/worktree/workspace.ts'

/** What the server is given by the verb that starts it. */
export type LspHost = {
  /** The folder that is served when the client names none. */
  readonly cwd: string
  /** Throws when an agent runs this server, as far as kotef can detect it: `what` is for persons only. */
  readonly requirePerson: (workspace: Workspace, what: string) => Promise<void>
}

/** The client, its open documents, and the constants of the protocol. */
export type Client = ReturnType<typeof openConnection>

/** What a client said in its initialize call, as far as the server acts on it. */
export type ClientWishes = {
  readonly folders: readonly string[]
  readonly showsMarkdown: boolean
  readonly showsDocuments: boolean
  readonly refreshesLenses: boolean
  readonly watchesFolders: boolean
  /** True when every block of lines gets a code lens. */
  readonly blockLenses: boolean
}
