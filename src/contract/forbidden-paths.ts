import { forbiddenItem, forbiddenLine, namesPath, pathsOf, type ReadLine } from './forbidden-items.ts'

/** What a KOTEF.md forbids to every intent, and what in it seems to forbid something, and does not. */
export type ForbiddenPaths = {
  readonly globs: readonly string[]
  /** Lines that are meant as forbidden paths and can't be read as such. */
  readonly unread: readonly UnreadLine[]
}

export type UnreadLine = {
  /** 1-based. */
  readonly line: number
  readonly text: string
}

/** The globs that a KOTEF.md forbids to every intent. */
export function forbiddenPaths(markdown: string): readonly string[] {
  return readForbiddenPaths(markdown).globs
}

/**
 * Reads the sections of a KOTEF.md whose heading, of any level and form, is "Forbidden Paths". Their list items, rows
 * of a table and lines that are only paths are globs; comments are not, and fenced code is an example. It reads lines,
 * not a Markdown tree: a parser takes minutes for a hostile text, and each hook waits for this.
 */
export function readForbiddenPaths(markdown: string): ForbiddenPaths {
  const globs = new Set<string>()
  const unread: UnreadLine[] = []
  let level: number | null = null
  let hasGlob = false
  let isFenceTold = false
  for (const it of linesOf(markdown)) {
    // Before the list, such a line only introduces it.
    const heading: Heading | null = headingAt(it) ?? (level === LINE_LEVEL && hasGlob ? labelAt(it) : null)
    if (heading) {
      hasGlob = false
      const { isForbidding, isSimilar } = titleOf(heading.text)
      if (isForbidding) level = heading.level
      else if (level !== null && heading.level <= Math.max(level, 2)) level = null
      if (isSimilar) unread.push({ line: it.line, text: heading.text })
    } else if (level !== null) {
      const read = readLine(it)
      for (const glob of read.globs) globs.add(glob)
      hasGlob ||= read.globs.length > 0
      if (read.isUnread && !(it.isFenced && isFenceTold)) unread.push({ line: it.line, text: it.text.trim() })
      isFenceTold = it.isFenced && (isFenceTold || read.isUnread)
    }
  }
  return { globs: [...globs], unread }
}

/** A line, without the signs of a quote around it. */
type Line = UnreadLine & {
  readonly before: string
  readonly next: string
  readonly isFenced: boolean
  /** It goes on with the list item above it. */
  readonly isContinued: boolean
}

function linesOf(markdown: string): Line[] {
  const texts = withoutComments(markdown.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'))
    .split('\n')
    .map(it => it.replace(/^(?: {0,3}>[ \t]?)+/, ''))
  const fenced = fencedLines(texts)
  let isInItem = false
  return texts.map((text, n) => {
    const isItem = ITEM.test(text)
    const isContinued = !isItem && isInItem && /^\s+\S/.test(text)
    isInItem = isItem || isContinued
    const around = { before: texts[n - 1] ?? '', next: texts[n + 1] ?? '' }
    return { line: n + 1, text, ...around, isContinued, isFenced: fenced.has(n) }
  })
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(\S.*)$/

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

type Heading = { readonly text: string; readonly level: number }

/** The heading that a line is: with number signs, underlined, or a line of its own that says no more. */
function headingAt({ text, next, before, isFenced }: Line): Heading | null {
  if (isFenced || text.trim() === '') return null
  const [, signs = '', title = ''] = /^ {0,3}(#{1,6})(?!#)\s*(.*)$/.exec(text) ?? []
  if (signs !== '') return { text: title.replace(/\s#+\s*$/, ''), level: signs.length }
  const [underline = ''] = /^ {0,3}(?:=+|-+)\s*$/.exec(next) ?? []
  if (underline !== '' && !ITEM.test(text)) return { text, level: underline.includes('=') ? 1 : 2 }
  const isOwnLine = !ITEM.test(text) && (before.trim() === '' || ITEM.test(before))
  return isOwnLine && titleOf(text).isForbidding ? { text, level: LINE_LEVEL } : null
}

// A line that is not a heading for Markdown is below each that is.
const LINE_LEVEL = 7

/** A line in bold, or one that ends in a colon: it begins the next list where lists have no headings. */
function labelAt({ text, isFenced, isContinued }: Line): Heading | null {
  const line = text.trim()
  if (isFenced || isContinued || ITEM.test(text)) return null
  const isLabel = /^(\*\*|__)[^*/]+\1:?$/.test(line) || (line.endsWith(':') && pathsOf(line).length === 0)
  return isLabel ? { text: line, level: LINE_LEVEL } : null
}

/** Whether a heading is that of the forbidden paths, or speaks of them in other words. */
function titleOf(text: string): { readonly isForbidding: boolean; readonly isSimilar: boolean } {
  const words = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L})]+$/u, '')
  const isForbidding = /^forbidden\s+(?:paths?|files?|folders?|director(?:y|ies))(?:\s*\(.*\))?$/i.test(words)
  const isSimilar = /\bforbidden\b/i.test(words) && /\b(?:paths?|files?|folders?|director)/i.test(words)
  return { isForbidding, isSimilar: isSimilar && !isForbidding }
}

function readLine({ text, next, isFenced, isContinued }: Line): ReadLine {
  if (isFenced) return { globs: [], isUnread: namesPath(text) && !/^\s*[`~]{3}/.test(text) }
  const [, item = null] = ITEM.exec(text) ?? []
  if (item !== null) return forbiddenItem(item)
  const line = text.trim()
  if (line.includes('|')) return readRow(line, next)
  return isContinued ? { globs: pathsOf(line), isUnread: false } : forbiddenLine(line)
}

/** Reads a row of a table: the cells that are only paths. The row above a ruler has the names of the columns. */
function readRow(row: string, next: string): ReadLine {
  const isRuler = (line: string) => /^\s*\|?[\s|:-]*-[\s|:-]*$/.test(line)
  if (isRuler(row) || isRuler(next)) return { globs: [], isUnread: false }
  const globs = row.split('|').flatMap(it => pathsOf(it.trim()))
  return { globs, isUnread: globs.length === 0 && namesPath(row) }
}
