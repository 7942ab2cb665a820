import { isConstraint } from './constraints.ts'
import { linesOf, LIST_ITEM, type MarkdownLine } from './markdown-lines.ts'

/** A line that forbids something, without the signs of its layout. */
export type ConstraintLine = {
  readonly text: string
  /** 1-based. */
  readonly line: number
  /** The texts in backticks. */
  readonly code: readonly string[]
}

/**
 * The constraint lines of a Markdown text, in its order. Headings, code blocks, HTML and comments forbid nothing. A
 * line that goes on in the next one, with a small letter or a condition, is one with it: "unless the ticket requires
 * it" changes its meaning. It reads lines, not a Markdown tree: each hook waits for this.
 */
export function constraintLines(markdown: string): ConstraintLine[] {
  const found: ConstraintLine[] = []
  let isInList = false
  const lines = linesOf(markdown.slice(0, CHARS_MAX))
  for (const [n, line] of lines.entries()) {
    const isItem = LIST_ITEM.test(line.text)
    if (line.text.trim() !== '') isInList = isItem || (isInList && /^\s/.test(line.text))
    if (!isSaying(line, isInList)) continue
    const first = plainText(line.text)
    if (!isConstraint(first)) continue
    const text = [first, ...continuation(first, lines.slice(n + 1, n + 1 + CONTINUED_MAX))].join(' ')
    found.push({ text, line: line.line, code: codeIn(text) })
  }
  return found
}

/** The texts of the constraint lines of a Markdown text. */
export function constraintsIn(markdown: string): string[] {
  return constraintLines(markdown).map(it => it.text)
}

// A text of thousands of lines is not a policy.
const CHARS_MAX = 1_048_576
const CONTINUED_MAX = 5

function isSaying({ text, next, before, isFenced }: MarkdownLine, isInList: boolean): boolean {
  const isHeading = HEADING.test(text) || (/^ {0,3}(?:=+|-+)\s*$/.test(next) && !LIST_ITEM.test(text))
  const isCode = isFenced || (!isInList && before.trim() === '' && /^(?: {4}|\t)/.test(text))
  return !isHeading && !isCode
}

const HEADING = /^ {0,3}#{1,6}(?!#)/

function continuation(first: string, after: readonly MarkdownLine[]): string[] {
  const more: string[] = []
  let last = first
  for (const { text, isFenced } of after) {
    if (isFenced) break
    const plain = plainText(text)
    const goesOn = !/[.!?:;]$/.test(last) && !LIST_ITEM.test(text) && /^\(?\p{Ll}/u.test(plain)
    const isCondition = CONDITION.test(plain) && !/^[-*+\d]/.test(text)
    if (!goesOn && !isCondition) break
    last = plain
    if (isConstraint(last)) break
    more.push(last)
  }
  return more
}

// Such a line belongs to the one above it, in parentheses and as an item below it too.
const CONDITION = /^\(?(?:unless|except|without|only (?:if|when|with)|if (?:you|needed|in doubt))\b/i

/** A line without list markers, the box of a task, emphasis, links and escapes. */
function plainText(line: string): string {
  const text = line.replace(/^\s*(?:(?:[-*+]|\d+[.)])\s+)*(?:\[[ xX]\]\s+)?/, '').trim()
  const code: string[] = []
  const masked = text.replaceAll('\0', '').replace(/`[^`]+`/g, it => `\0${code.push(it) - 1}\0`)
  const plain = withoutEmphasis(withoutEmphasis(masked))
    .replace(/\[([^\][]{1,500})\]\([^)]{0,500}\)/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return plain.replace(/\0(\d+)\0/g, (_, n: string) => code[Number(n)] ?? '').trim()
}

function withoutEmphasis(text: string): string {
  return text.replace(EMPHASIS, '$1$3')
}

const EMPHASIS = /(^|[\s(])(\*{1,3}|_{1,3})(?=[^\s*_])([^*_]{1,500})\2(?=$|[\s).,:;!?])/g

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, it = '']) => it)
}
