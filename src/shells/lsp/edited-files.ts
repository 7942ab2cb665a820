import type { Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Finding } from '../../core/base/finding.ts'
import { findIgnored } from '../../world/io/git/run-git.ts'
import { withTypedName } from '../../core/base/kotef-command.ts'
import { typedName } from '../../world/io/process/typed-name.ts'
import { judgeEdit } from '../../core/rules/judge-edit.ts'
import { escapeInvisible } from '../../core/base/printable.ts'
import { isChangedDocument } from './changed-document.ts'
import { pathOfUri } from './file-uri.ts'
import { editContext } from './governed-state.ts'
import type { Client } from './host.ts'
import type { WatchedWorktree } from './watched-worktree.ts'
import type { ServedFile, Worktrees } from './worktrees.ts'

/** The documents that are open in the editor, with what a commit of each would be refused for. */
export type EditedFiles = {
  /** Judges a document again, and publishes the result if it differs. */
  judge(document: TextDocument): Promise<void>
  /** Judges all open documents of a worktree again. */
  judgeAll(worktree: WatchedWorktree): Promise<void>
  /** Judges all open documents again. */
  judgeEvery(): Promise<void>
  close(document: TextDocument): void
  /** What was published about a document. */
  diagnosticOf(uri: string): Diagnostic | null
  /** Where a document is; null when it is not served. */
  servedFile(uri: unknown): Promise<ServedFile | null>
}

type Published = { readonly text: string; readonly diagnostic: Diagnostic | null }

/** The open documents of a client. */
export function openEditedFiles(client: Client, worktrees: Worktrees): EditedFiles {
  const { connection, documents } = client
  const published = new Map<string, Published>()
  const publish = async (document: TextDocument, diagnostic: Diagnostic | null): Promise<void> => {
    const { uri, version } = document
    const text = JSON.stringify(diagnostic)
    // The document may have been closed while it was judged.
    if (documents.get(uri) === undefined || (published.get(uri)?.text ?? 'null') === text) return
    published.set(uri, { text, diagnostic })
    await connection.sendDiagnostics({ uri, version, diagnostics: diagnostic ? [diagnostic] : [] })
  }
  const servedFile = async (uri: unknown): Promise<ServedFile | null> => {
    const path = pathOfUri(uri)
    return path === null ? null : worktrees.find(path)
  }
  const turns = new Map<string, number>()
  const judge = async (document: TextDocument): Promise<void> => {
    const turn = (turns.get(document.uri) ?? 0) + 1
    turns.set(document.uri, turn)
    const file = await servedFile(document.uri)
    const judged = file && (await judgementOf(file, document))
    // A judgement that began earlier can end later.
    if (turns.get(document.uri) === turn) await publish(document, judged && diagnosticFor(judged, { document, client }))
  }
  return {
    judge,
    async judgeAll({ workspace: { root } }) {
      for (const it of documents.all()) {
        const file = await servedFile(it.uri)
        // A worktree that is gone serves no document.
        if (file === null || file.worktree.workspace.root === root) await judge(it)
      }
    },
    async judgeEvery() {
      for (const it of documents.all()) await judge(it)
    },
    close({ uri }) {
      const isShown = (published.get(uri)?.diagnostic ?? null) !== null
      published.delete(uri)
      turns.delete(uri)
      if (isShown) void connection.sendDiagnostics({ uri, diagnostics: [] })
    },
    diagnosticOf: uri => published.get(uri)?.diagnostic ?? null,
    servedFile,
  }
}

/** A finding about a document, and whether the document differs from what HEAD has. */
type Judged = { readonly finding: Finding; readonly isChanged: boolean }

async function judgementOf({ worktree, path }: ServedFile, document: TextDocument): Promise<Judged | null> {
  const { root } = worktree.workspace
  const context = editContext(worktree.state(), worktree.workspace.clock.now())
  const found = context && judgeEdit(path, context)
  if (!found) return null
  const finding = { ...found, hint: withTypedName(found.hint, typedName(process.env)) }
  // No commit has a file that git ignores.
  if (finding.rule === 'in-scope' && (await findIgnored(root, [path]).catch(() => [])).length > 0) return null
  return { finding, isChanged: await isChangedDocument(worktree.workspace, path, document) }
}

type Shown = { readonly document: TextDocument; readonly client: Client }

// Positions are in UTF-16 units, as the length of a string is.
function diagnosticFor({ finding, isChanged }: Judged, { document, client }: Shown): Diagnostic {
  const { rule, message, hint } = finding
  const start = { line: 0, character: 0 }
  const [firstLine = ''] = document.getText({ start, end: { line: 1, character: 0 } }).split(/[\r\n]/)
  const end = { line: 0, character: firstLine.length }
  // A file that is only read does nothing that a commit would be refused for.
  const severity = isChanged ? severityOf(finding, client) : client.severities.Hint
  return {
    range: { start, end },
    severity,
    code: rule,
    source: 'kotef',
    message: escapeInvisible(`${message}\n${hint}`),
  }
}

// A governance file may be changed; it is committed alone.
function severityOf({ rule, level }: Finding, { severities }: Client): DiagnosticSeverity {
  if (rule === 'governance-alone' || level === 'review') return severities.Information
  return level === 'block' ? severities.Error : severities.Warning
}
