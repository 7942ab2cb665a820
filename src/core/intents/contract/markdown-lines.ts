/** A line of a Markdown text, without the signs of a quote around it. */
export type MarkdownLine = {
  /** 1-based. */
  readonly line: number
  readonly text: string
  readonly before: string
  readonly next: string
  readonly isFenced: boolean
  /** It goes on with the list item above it. */
  readonly isContinued: boolean
}

/**
 * The lines of a Markdown text without its comments. They are read one by one: a parser takes minutes for a hostile
 * text.
 */
export function linesOf(markdown: string): MarkdownLine[] {
  const texts = withoutComments(markdown.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .split('\n')
    .map(it => it.replace(/^(?: {0,3}>[ \t]?)+/, ''))
  const fenced = fencedLines(texts)
  let isInItem = false
  return texts.map((text, n) => {
    const isItem = LIST_ITEM.test(text)
    const isContinued = !isItem && isInItem && /^\s+\S/.test(text)
    isInItem = isItem || isContinued
    const around = { before: texts[n - 1] ?? '', next: texts[n + 1] ?? '' }
    return { line: n + 1, text, ...around, isContinued, isFenced: fenced.has(n) }
  })
}

/** A list item, and its text. */
export const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(\S.*)$/

// A comment that does not end is none.
function withoutComments(text: string): string {
  const kept: string[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('<!--', from)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return kept.join('') + text.slice(from)
    kept.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, ''))
    from = end + 3
  }
}

/** The lines of fenced code with their fences. A fence that is not closed is none: what follows it counts. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const fenced = new Set<number>()
  let open: { readonly sign: string; readonly at: number } | null = null
  for (const [n, line] of lines.entries()) {
    const [, sign = '', info = ''] = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (!open && sign !== '') open = { sign, at: n }
    else if (open && sign.startsWith(open.sign) && info.trim() === '') {
      for (let it = open.at; it <= n; it++) fenced.add(it)
      open = null
    }
  }
  return fenced
}
