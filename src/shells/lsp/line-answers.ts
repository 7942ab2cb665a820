import type { CodeLens, Hover, Position } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { earlierLines } from '../../core/git/diff/line-map.ts'
import { blockLenses, fileLens } from '../../core/report/author-lens.ts'
import { type HoverForm, lineHover, unsavedHover } from '../../core/report/line-hover.ts'
import type { ClientWishes } from './host.ts'
import { textLines } from '../../core/base/lines.ts'
import { gitLineAt } from './text-lines.ts'
import type { ServedFile } from './worktrees.ts'

/** What a line of a document shows: its intent, author, session and commit. Null where kotef has nothing to say. */
export async function hoverAt(
  { worktree, path }: ServedFile,
  { document, position }: { readonly document: TextDocument; readonly position: Position },
  { showsMarkdown }: Pick<ClientWishes, 'showsMarkdown'>,
): Promise<Hover | null> {
  const { policy } = worktree.state()
  const file = policy && (await worktree.blame.read(path))
  if (!policy || !file) return null
  const form: HoverForm = showsMarkdown ? 'markdown' : 'plaintext'
  const asked = gitLineAt(document, position.line)
  const lines = textLines(document.getText())
  // The end of a text is not a line.
  if (asked > lines.length) return null
  const saved = earlierLines(file.texts, lines).get(asked)
  const line = file.lines.find(it => it.line === saved)
  const name = policy.intents.find(it => it.id === line?.author.intent)?.name ?? null
  const value = line === undefined ? unsavedHover(form) : lineHover(line, { name, form })
  return { contents: { kind: form, value } }
}

/** The summaries above the lines of a document: one for the file, and one a block where the client wants these. */
export async function lensesOf(
  { worktree, path }: ServedFile,
  document: TextDocument,
  wishes: Pick<ClientWishes, 'blockLenses'>,
): Promise<CodeLens[]> {
  const { policy } = worktree.state()
  const file = policy && (await worktree.blame.read(path))
  if (!policy || !file) return []
  const top = fileLens(file.lines, id => policy.intents.find(it => it.id === id)?.name ?? null)
  const kept = earlierLines(textLines(document.getText()), file.texts)
  const blocks = wishes.blockLenses ? blockLenses(file.lines) : []
  const placed = blocks.flatMap(({ line, title }) => {
    const now = kept.get(line)
    return now === undefined ? [] : [{ line: now, title }]
  })
  return [...(top ? [top] : []), ...placed].map(({ line, title }) => {
    const at = { line: line - 1, character: 0 }
    return { range: { start: at, end: at }, command: { title, command: '' } }
  })
}
