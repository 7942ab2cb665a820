import type { TextDocument } from 'vscode-languageserver-textdocument'

/** The lines of a text as git counts them, without their ends. */
export function textLines(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  // Git counts no line after the last end.
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return whole.map(it => (it.endsWith('\r') ? it.slice(0, -1) : it))
}

/** Git's number (1-based) of an editor's line (0-based): for an editor, a lone carriage return ends a line too. */
export function gitLineAt(document: TextDocument, line: number): number {
  const before = document.getText().slice(0, document.offsetAt({ line, character: 0 }))
  return before.split('\n').length
}
