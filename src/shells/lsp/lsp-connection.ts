import {
  CodeActionKind,
  createConnection as connectStreams,
  DiagnosticSeverity,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'

// The only module that loads the libraries of the protocol: it is a bundle of its own. All else imports types of them.

/** A client on stdin and stdout, with its open documents. The library ends the process with its client. */
export function openConnection() {
  return {
    // With streams given, the library looks for no address of a socket among the arguments of the process.
    connection: connectStreams(process.stdin, process.stdout),
    documents: new TextDocuments(TextDocument),
    severities: DiagnosticSeverity,
    quickFix: CodeActionKind.QuickFix,
  }
}
