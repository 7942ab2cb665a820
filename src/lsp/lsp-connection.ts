import { CodeActionKind, createConnection, DiagnosticSeverity, TextDocuments } from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'

// The only module that loads the libraries of the protocol: it is a bundle of its own. All else imports their types.

/** A client of the protocol on two streams, and the documents that it has open. The library ends the process with it. */
export function openConnection(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  return {
    connection: createConnection(input, output),
    documents: new TextDocuments(TextDocument),
    severities: DiagnosticSeverity,
    quickFix: CodeActionKind.QuickFix,
  }
}
