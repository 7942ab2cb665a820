import { escapeInvisible } from './printable.ts'

/** A text as one line without invisible characters; of a long one the beginning, and how much there is more. */
export function singleLine(text: string, charactersMax: number): string {
  const line = escapeInvisible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  const characters = Array.from(line)
  if (characters.length <= charactersMax) return line
  return `${characters.slice(0, charactersMax).join('')}… and ${characters.length - charactersMax} more characters`
}

/**
 * One line of text as a code span of Markdown. In one, forges read no HTML, link, mention or reference, and the span
 * ends only at as many backticks as it begins with. Not for a cell of a table, which ends at a `|`.
 */
export function markdownCode(line: string): string {
  if (line.trim() === '') return '`(empty)`'
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([it]) => it.length))
  const fence = '`'.repeat(longest + 1)
  // Markdown takes one space from each end, if there is one at both.
  const pad = /^[ `]|[ `]$/.test(line) ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** A text in HTML, as content and in an attribute between quotes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"'`]/g, it => `&#${it.charCodeAt(0)};`)
}
