import type { LineKind } from '../../core/report/paint-line.ts'
import { type Terminal, terminalText } from '../../core/report/terminal-text.ts'

/** The words of a call, and the kind of its answer where the answer names one. */
type AnsweredCall = { readonly words: readonly string[]; readonly kind: LineKind | undefined }

/** What a verb has said, as a terminal shows it: sentences, unless other programs read what the verb prints. */
export function textAtTerminal(text: string, { words, kind }: AnsweredCall, terminal: Terminal): string {
  if (kind === undefined && isDocument(words)) return text
  return terminalText(text, kind ?? 'verdict', terminal)
}

function isDocument(words: readonly string[]): boolean {
  const [verb = '', second = ''] = words.filter(it => !it.startsWith('-'))
  const hasFormat = words.some(it => it === '--sarif' || it.startsWith('--format='))
  const format = words[words.indexOf('--format') + 1]
  const isOfFormat = hasFormat || (words.includes('--format') && format !== 'text')
  return isOfFormat || DOCUMENTS.has(verb) || DOCUMENTS.has(`${verb} ${second}`)
}

/** Verbs that print a file, a page or a list for other programs; no verb at all prints the help. */
const DOCUMENTS: ReadonlySet<string> = new Set([
  ...['', 'help', 'completion', 'complete', 'agent-hook', 'context', 'select', 'explain', 'report', 'lesson apply'],
  ...['declarations', 'classify', 'map', 'where', 'trace export'],
])
