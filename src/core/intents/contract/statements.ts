import type { Nodes, PhrasingContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'

/** One line of text in a Markdown document, without the signs of its layout. */
export type Statement = {
  readonly text: string
  /** 1-based. */
  readonly line: number
  /** The nearest heading above it. */
  readonly section: string | null
  /** `- [ ]` is open and `- [x]` is done; null for any other line. */
  readonly task: 'open' | 'done' | null
  /** The texts in backticks. */
  readonly code: readonly string[]
}

/**
 * The lines of a Markdown document that say something: of paragraphs, list items and quotes. Headings give the section;
 * code blocks, HTML and comments say nothing. Never throws.
 */
export function statementsOf(markdown: string): Statement[] {
  const found: Statement[] = []
  let section: string | null = null
  const open: Nodes[] = [fromMarkdown(flattened(markdown))]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'heading') section = lineTexts(node.children, 1)[0]?.text ?? null
    else if (node.type === 'paragraph')
      for (const it of lineTexts(node.children, node.position?.start.line ?? 1)) found.push(statement(it, section))
    else if ('children' in node) for (const it of [...node.children].reverse()) open.push(it as Nodes)
  }
  return found.filter(it => it.text !== '')
}

// A document of thousands of quotes within quotes takes the parser minutes; nobody reads one.
function flattened(markdown: string): string {
  const text = markdown.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  return text.replace(/^[ \t>*+-]{60,}/gm, '').slice(0, CHARS_MAX)
}

const CHARS_MAX = 1_048_576

type TextLine = { text: string; readonly line: number; readonly code: string[] }

function lineTexts(children: readonly PhrasingContent[], line: number): TextLine[] {
  const lines: TextLine[] = [{ text: '', line, code: [] }]
  const add = (text: string): void =>
    text.split('\n').forEach((part, n) => {
      if (n > 0) lines.push({ text: '', line: line + lines.length, code: [] })
      const last = lines.at(-1)
      if (last) last.text += part
    })
  const open = [...children].reverse()
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'text') add(node.value)
    else if (node.type === 'break') add('\n')
    else if (node.type === 'inlineCode') {
      add(`\`${node.value}\``)
      lines.at(-1)?.code.push(node.value)
    } else if ('children' in node) open.push(...[...node.children].reverse())
  }
  return lines
}

function statement({ text, line, code }: TextLine, section: string | null): Statement {
  const [, sign, rest] = /^\s*\[([ xX])\]\s+([^]*)$/.exec(text) ?? []
  const task = sign === undefined ? null : sign === ' ' ? 'open' : 'done'
  return { text: (rest ?? text).trim(), line, section, task, code }
}
