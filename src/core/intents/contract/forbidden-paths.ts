import { forbiddenItem, forbiddenLine, namesPath, pathsOf, type ReadLine } from './forbidden-items.ts'
import { linesOf, LIST_ITEM, type MarkdownLine } from './markdown-lines.ts'

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
 * of a table, lines that are only paths, and paths in backticks in any other line are globs; comments are not, and
 * fenced code is an example. A section that has text and no path is unread, by its heading. It reads lines, not a
 * Markdown tree: a parser takes minutes for a hostile text, and each hook waits for this.
 */
export function readForbiddenPaths(markdown: string): ForbiddenPaths {
  const globs = new Set<string>()
  const unread: UnreadLine[] = []
  let section = null as Section | null
  let hasGlob = false
  let isFenceReported = false
  const end = (): void => {
    if (section?.says === 'words') unread.push({ line: section.line, text: section.text })
    section = null
  }
  for (const it of linesOf(markdown)) {
    // Before the list, such a line only introduces it.
    const label: Heading | null = section?.level === LINE_LEVEL && hasGlob ? labelAt(it) : null
    const heading: Heading | null = headingAt(it) ?? label
    if (heading) {
      hasGlob = false
      const { isForbidding, isSimilar } = titleOf(heading.text)
      if (isForbidding || (section && heading.level <= Math.max(section.level, 2))) end()
      if (isForbidding) section = { ...heading, line: it.line, says: 'nothing' }
      if (isSimilar) unread.push({ line: it.line, text: heading.text })
    } else if (section) {
      const read = readLine(it)
      for (const glob of read.globs) globs.add(glob)
      hasGlob ||= read.globs.length > 0
      if (read.isUnread && !(it.isFenced && isFenceReported)) unread.push({ line: it.line, text: it.text.trim() })
      isFenceReported = it.isFenced && (isFenceReported || read.isUnread)
      section.says = saidBy(read, it, section)
    }
  }
  end()
  return { globs: [...globs], unread: unread.sort((a, b) => a.line - b.line) }
}

/** A section of forbidden paths, and what was found in it so far: lines that count or are reported, or words alone. */
type Section = Heading & { readonly line: number; says: 'nothing' | 'words' | 'paths' }

function saidBy({ globs, isUnread }: ReadLine, { text }: MarkdownLine, { says }: Section): Section['says'] {
  if (says === 'paths' || globs.length > 0 || isUnread) return 'paths'
  return SAYS_NOTHING.test(text) ? says : 'words'
}

// Such as a ruler, and the line under a heading.
const SAYS_NOTHING = /^\s*(?:[-=_*]+|(?:[-*+]\s*)?(?:none|nothing|n\/a|tbd|todo)[.\s]*)?$/i

type Heading = { readonly text: string; readonly level: number }

/** The heading that a line is: with number signs, underlined, or a line of its own that says no more. */
function headingAt({ text, next, before, isFenced }: MarkdownLine): Heading | null {
  if (isFenced || text.trim() === '') return null
  const [, signs = '', title = ''] = /^ {0,3}(#{1,6})(?!#)\s*(.*)$/.exec(text) ?? []
  if (signs !== '') return { text: title.replace(/\s#+\s*$/, ''), level: signs.length }
  const [underline = ''] = /^ {0,3}(?:=+|-+)\s*$/.exec(next) ?? []
  if (underline !== '' && !LIST_ITEM.test(text)) return { text, level: underline.includes('=') ? 1 : 2 }
  const isOwnLine = !LIST_ITEM.test(text) && (before.trim() === '' || LIST_ITEM.test(before))
  return isOwnLine && titleOf(text).isForbidding ? { text, level: LINE_LEVEL } : null
}

// A line that is not a heading for Markdown is below each that is.
const LINE_LEVEL = 7

/** A line in bold, or one that ends in a colon: it begins the next list where lists have no headings. */
function labelAt({ text, isFenced, isContinued }: MarkdownLine): Heading | null {
  const line = text.trim()
  if (isFenced || isContinued || LIST_ITEM.test(text)) return null
  const isLabel = /^(\*\*|__)[^*/]+\1:?$/.test(line) || (line.endsWith(':') && pathsOf(line).length === 0)
  return isLabel ? { text: line, level: LINE_LEVEL } : null
}

/** Whether a heading is that of the forbidden paths, or speaks of them in other words. */
function titleOf(text: string): { readonly isForbidding: boolean; readonly isSimilar: boolean } {
  const words = text.replace(/^[^\p{L}]+/u, '').replace(/[^\p{L})]+$/u, '')
  const isForbidding = FORBIDDING.test(words)
  const isSimilar = /\bforbidden\b/i.test(words) && /\b(?:paths?|files?|folders?|director)/i.test(words)
  return { isForbidding, isSimilar: isSimilar && !isForbidding }
}

// Behind the words may stand more in parentheses, the address of a link, or an anchor.
const FORBIDDING = /^forbidden\s+(?:paths?|files?|folders?|director(?:y|ies))(?:\s*\(.*\)|\]\([^)]*\)|\s*\{#[\w-]+)?$/i

function readLine({ text, next, isFenced, isContinued }: MarkdownLine): ReadLine {
  if (isFenced) return { globs: [], isUnread: namesPath(text) && !/^\s*[`~]{3}/.test(text) }
  const [, item = null] = LIST_ITEM.exec(text) ?? []
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
