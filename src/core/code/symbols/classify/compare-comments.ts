import type { Moved } from './moves.ts'
import type { Comment, NormalForm, NormalNode } from './normal-form.ts'

/** What became of the comments: equal, changed where only people read them, or changed where a tool does. */
export type CommentChange =
  | { readonly change: 'none' }
  | { readonly change: 'prose' | 'tool'; readonly row: number; readonly side: 'before' | 'after' }

/** Compares the comments of two texts whose code is equal, but for some parts that moved. */
export function compareComments(
  before: NormalForm,
  after: NormalForm,
  rules: {
    readonly toolComment: RegExp
    readonly nodeWords?: RegExp | undefined
    readonly toolList?: RegExp | undefined
    readonly moved: readonly Moved[]
  },
): CommentChange {
  const { toolComment, nodeWords, toolList, moved } = rules
  const forms = [before, after].map((it): Side => ({ comments: it.comments, leaves: leavesOf(it.root) }))
  const tools = forms.map(it =>
    it.comments.filter((comment, at) => isForTools(comment, it, toolComment) || isListed(it.comments, at, toolList)),
  )
  const isMoved = moved.length > 0
  const isOfNode = (comment: Comment, side: Side): boolean =>
    nodeWords !== undefined && !isMoved && !isForTools(withoutWords(comment, nodeWords), side, toolComment)
  const signatures = forms.map((side, at) =>
    tools[at]!.map(it => (isOfNode(it, side) ? `${it.leaf} ${it.text}` : signature(it, side, isMoved))),
  )
  const tool = firstDifference(signatures[0]!, signatures[1]!)
  if (tool !== null) return changeAt('tool', tool, tools as [Comment[], Comment[]])
  const passed = tools[0]!.find((it, at) => moved.some(move => isPassed(it, tools[1]![at]!, move)))
  if (passed) return { change: 'tool', row: passed.row, side: 'before' }
  const prose = [before, after].map(it => (isMoved ? byText(it.comments) : proseOf(it.comments)))
  const at = firstDifference(...(prose.map(list => list.map(it => it.text)) as [string[], string[]]))
  return at === null ? { change: 'none' } : changeAt('prose', at, prose as [Row[], Row[]])
}

type Row = { readonly row: number; readonly text: string }

function byText(comments: readonly Comment[]): readonly Row[] {
  return comments.toSorted((a, b) => (a.text < b.text ? -1 : 1))
}

/**
 * What comments say to people: their words, without the white space, the line ends and the marks of lines that a
 * formatter chooses. Comments in a row that have one mark are one text.
 */
function proseOf(comments: readonly Comment[]): Row[] {
  const texts: { readonly row: number; readonly head: string; text: string }[] = []
  for (const { leaf, row, text } of comments) {
    const mark = MARK.exec(text)?.[0] ?? ''
    const isBlock = text.startsWith('/*') || mark === ''
    const words = text
      .slice(mark.length)
      .split(isBlock ? BETWEEN_LINES : /\s+/)
      .filter(it => it !== '')
    const head = `${leaf} ${mark}`
    const last = texts.at(-1)
    if (words.length === 0) continue
    if (!isBlock && last?.head === head) last.text += ` ${words.join(' ')}`
    else texts.push({ row, head, text: `${head} ${words.join(' ')}` })
  }
  return texts
}

const MARK = /^(?:\/{2,}[!<]*|\/\*+[!<]*|#+)/
// In a comment of several lines, each line may begin with an asterisk.
const BETWEEN_LINES = /\s*\n\s*(?:\*(?=\s|$))?\s*|\s+/

function withoutWords(comment: Comment, words: RegExp): Comment {
  return { ...comment, text: comment.text.replace(words, ' ') }
}

function isListed(comments: readonly Comment[], at: number, toolList: RegExp | undefined): boolean {
  const comment = comments[at]!
  const above = comments[at - 1]
  if (toolList === undefined || toolList.test(comment.text)) return toolList !== undefined
  const isNext = above?.leaf === comment.leaf && above.endRow + 1 === comment.row
  return isNext && isListed(comments, at - 1, toolList)
}

// A part that moves to the other side of a comment, or with a comment in it, may leave what a tool applies it to.
function isPassed(before: Comment, after: Comment, { from, fromEnd, to }: Moved): boolean {
  const isInside = before.row >= from && before.row <= fromEnd
  return isInside || from < before.row !== to < after.row
}

type Side = { readonly comments: readonly Comment[]; readonly leaves: readonly NormalNode[] }

function leavesOf(root: NormalNode): NormalNode[] {
  const leaves: NormalNode[] = []
  const visit = (node: NormalNode): void => {
    if (node.text !== null) leaves.push(node)
    node.children.forEach(visit)
  }
  visit(root)
  return leaves
}

// A comment of several lines within a line of code ends that line in some languages.
function isForTools(comment: Comment, { leaves }: Side, toolComment: RegExp): boolean {
  const { text, row, endRow, leaf, isOdd } = comment
  const isWithinLine = leaves[leaf - 1]?.endRow === row || leaves[leaf]?.row === endRow
  return isOdd || toolComment.test(text) || (row !== endRow && isWithinLine)
}

/** A comment with the leaves that a tool may apply it to: those on its own lines, and on the next line with code. */
function signature({ leaf, row, endRow, text }: Comment, { leaves }: Side, isMoved: boolean): string {
  const isOn = (it: NormalNode, first: number, last: number): boolean => it.row <= last && it.endRow >= first
  const own = leaves.filter(it => isOn(it, row, endRow)).length
  const before = leaves.slice(0, leaf).filter(it => isOn(it, row, endRow)).length
  const next = leaves.slice(leaf).find(it => it.row > endRow)?.row ?? endRow
  const beside = leaves.filter(it => isOn(it, next, next))
  // Code that moved may have as many leaves as the code that the comment was about.
  const words = isMoved ? [...leaves.filter(it => isOn(it, row, endRow)), ...beside].map(it => it.text) : []
  return [leaf, own, before, Math.min(next - endRow, BLANK), beside.length, text, ...words].join(' ')
}

// A line between a comment and its code separates them.
const BLANK = 2

function changeAt(
  change: 'prose' | 'tool',
  at: number,
  [before, after]: [readonly Row[], readonly Row[]],
): CommentChange {
  const one = before[at]
  const other = after[at]
  if (other) return { change, row: other.row, side: 'after' }
  return { change, row: one?.row ?? 0, side: 'before' }
}

function firstDifference(one: readonly string[], other: readonly string[]): number | null {
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at
  return null
}
