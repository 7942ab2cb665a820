import type { TextDocument } from 'vscode-languageserver-textdocument'

/** Git's number (1-based) of an editor's line (0-based): for an editor, a lone carriage return ends a line too. */
export function gitLineAt(document: TextDocument, line: number): number {
  const before = document.getText().slice(0, document.offsetAt({ line, character: 0 }))
  return before.split('\n').length
}
