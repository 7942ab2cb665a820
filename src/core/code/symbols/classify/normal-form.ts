import type { SyntaxNode } from '../syntax-node.ts'
import { sourceOf } from '../syntax-node.ts'
import type { LayoutRules } from './class-rules.ts'

/**
 * A node without what a formatter may change: the tree that two texts are compared by. A leaf has a text, and any other
 * node has none. `row` and `endRow` are those of the text.
 */
export type NormalNode = {
  readonly type: string
  readonly field: string | null
  readonly text: string | null
  readonly row: number
  readonly endRow: number
  readonly children: readonly NormalNode[]
  /** The node that this one was made of. */
  readonly source: SyntaxNode
}

/** A comment: its text without indentation, and how many leaves of the normal form are before it. */
export type Comment = {
  readonly text: string
  /** True for a comment with a character that some language takes for the end of its line, so that code may follow. */
  readonly isOdd: boolean
  readonly leaf: number
  readonly row: number
  readonly endRow: number
}

/** A text as its normal form, with its comments, and what was left out of it. */
export type NormalForm = {
  readonly root: NormalNode
  readonly comments: readonly Comment[]
  /** How often each kind of token was left out. */
  readonly leftOut: ReadonlyMap<string, number>
  /** The texts that the parser could not read, as they are. */
  readonly broken: readonly string[]
}

/** The type of a leaf with text that the grammar does not divide. */
export const RAW = '#raw'
/** The type of a leaf that the parser could not read. */
export const BROKEN = '#broken'
const STRING = '#string'
const GAP = '#text'

/** Makes the normal form of a text. `containers` are the types of nodes that an unreadable part does not go beyond. */
export function normalForm(
  text: string,
  root: SyntaxNode,
  { layout, containers }: { layout: LayoutRules; containers: readonly string[] },
): NormalForm {
  const form = new Normalizer(text, layout, brokenMembers(root, containers))
  const normal = form.node(root, null)
  return { root: normal, comments: form.comments, leftOut: form.leftOut, broken: form.broken }
}

/** The nearest node around each unreadable part that is a member of a container. */
function brokenMembers(root: SyntaxNode, containers: readonly string[]): ReadonlySet<SyntaxNode> {
  const found = new Set<SyntaxNode>()
  const visit = (node: SyntaxNode, member: SyntaxNode): void => {
    if (node.isBroken) found.add(member)
    for (const it of node.children) visit(it, containers.includes(node.type) || node === root ? it : member)
  }
  visit(root, root)
  return found
}

class Normalizer {
  readonly comments: Comment[] = []
  readonly leftOut = new Map<string, number>()
  readonly broken: string[] = []
  #leaves = 0
  readonly #text: string
  readonly #rules: LayoutRules
  readonly #brokenMembers: ReadonlySet<SyntaxNode>

  constructor(text: string, rules: LayoutRules, brokenNodes: ReadonlySet<SyntaxNode>) {
    this.#text = text
    this.#rules = rules
    this.#brokenMembers = brokenNodes
  }

  node(node: SyntaxNode, parent: SyntaxNode | null): NormalNode {
    const source = sourceOf(this.#text, node)
    if (this.#brokenMembers.has(node)) {
      const tokens = this.#rules.tokens?.(source, this.#text) ?? source
      this.broken.push(tokens)
      return this.#leaf(node, { type: BROKEN, text: tokens })
    }
    const plain = this.#rules.plainString(source, node, parent)
    if (plain !== null) return this.#leaf(node, { type: STRING, text: plain })
    if (this.#rules.raw.includes(node.type)) return this.#leaf(node, { type: RAW, text: this.#rawText(source, node) })
    if (this.#rules.leaves.includes(node.type)) return this.#leaf(node, { type: node.type, text: source })
    const lone = this.#rules.loneParameter?.({ node, parent, text: this.#text }) ?? null
    if (lone) {
      this.#leaveOut('parentheses')
      return { ...this.node(lone, node), field: 'parameter' }
    }
    const inner = this.#insideOfSpareParentheses(node, parent)
    if (inner) return { ...inner, field: node.field }
    const place = { node, parent, text: this.#text }
    const type = (this.#rules.sameTypes?.[node.type] ?? node.type) + (this.#rules.spacing?.(place) ?? '')
    if (node.children.length === 0)
      return this.#leaf(node, { type, text: this.#rules.spelling?.(place) ?? this.#literalText(source) })
    const children = this.#childrenOf(node)
    if (children.length === 0) return this.#leaf(node, { type, text: '' })
    return { type, field: node.field, text: null, row: node.row, endRow: node.endRow, children, source: node }
  }

  #leaf(node: SyntaxNode, { type, text }: { type: string; text: string }): NormalNode {
    this.#leaves++
    return { type, field: node.field, text, row: node.row, endRow: node.endRow, children: [], source: node }
  }

  #insideOfSpareParentheses(node: SyntaxNode, parent: SyntaxNode | null): NormalNode | null {
    if (!node.isNamed || !this.#rules.isSpareParenthesis({ node, parent, text: this.#text })) return null
    const named = node.children.filter(it => it.isNamed)
    const isComment = (it: SyntaxNode): boolean => this.#rules.comments.includes(it.type)
    if (named.filter(it => !isComment(it)).length !== 1) return null
    const mark = PUNCTUATION[node.children[0]!.type]
    if (mark !== undefined) this.#leaveOut(mark)
    let inner: NormalNode | null = null
    for (const it of named) {
      if (isComment(it)) this.#addComment(it)
      else inner = this.node(it, node)
    }
    return inner
  }

  #childrenOf(node: SyntaxNode): NormalNode[] {
    const isLiteral = this.#rules.literals.includes(node.type)
    const children: NormalNode[] = []
    let end = node.start
    for (const child of node.children) {
      this.#addGap(children, { node, from: end, to: child.start, isLiteral })
      end = Math.max(end, child.end)
      if (this.#rules.comments.includes(child.type)) this.#addComment(child)
      else if (!this.#isSpare(child, node)) children.push(this.node(child, node))
    }
    this.#addGap(children, { node, from: end, to: node.end, isLiteral })
    return children
  }

  // Text between the nodes that is not white space is content which the grammar skipped.
  #addGap(children: NormalNode[], gap: { node: SyntaxNode; from: number; to: number; isLiteral: boolean }): void {
    const text = this.#text.slice(gap.from, gap.to)
    const space = gap.from === 0 ? text.replace(/^\uFEFF/, '') : text
    if (text === '' || (!gap.isLiteral && /^(?:[ \t\n\r\f\v]|\\\r?\n)*$/.test(space))) return
    children.push({ ...this.#leaf(gap.node, { type: GAP, text: this.#literalText(text) }), field: null })
  }

  #literalText(text: string): string {
    return this.#rules.normalizesLineEnds ? text.replace(/\r\n/g, '\n') : text
  }

  #rawText(source: string, node: SyntaxNode): string {
    if (this.#rules.rawText) return this.#rules.rawText(node, this.#text)
    // The line that a directive ends with does not belong to it.
    return node.type.startsWith('preproc') ? source.replace(/\r\n/g, '\n').trimEnd() : source
  }

  #addComment(node: SyntaxNode): void {
    const source = sourceOf(this.#text, node)
    const text = trimLines(source)
    const endRow = node.row + text.split('\n').length - 1
    this.comments.push({ text, isOdd: ODD.test(source.trimEnd()), leaf: this.#leaves, row: node.row, endRow })
  }

  #isSpare(node: SyntaxNode, parent: SyntaxNode): boolean {
    const { semicolons, commas, isSpareToken } = this.#rules
    const isSpare =
      (node.type === ';' && semicolons.includes(parent.type)) ||
      (node.type === ',' && commas.includes(parent.type) && this.#isTrailing(node, parent)) ||
      (isSpareToken?.({ node, parent, text: this.#text }) ?? false)
    if (isSpare) this.#leaveOut(PUNCTUATION[node.type] ?? 'punctuation')
    return isSpare
  }

  #leaveOut(kind: string): void {
    this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
  }

  #isTrailing(comma: SyntaxNode, { children }: SyntaxNode): boolean {
    const tokens = children.filter(it => !this.#rules.comments.includes(it.type))
    const at = tokens.indexOf(comma)
    const next = tokens[at + 1]
    return (tokens[at - 1]?.isNamed ?? false) && (next === undefined || /^[)\]}>|]$/.test(next.type))
  }
}

// A carriage return alone, and the separators of lines and paragraphs.
const ODD = /\r(?!\n)|[\u0085\u2028\u2029]/

const PUNCTUATION: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  ',': 'trailing commas',
  '(': 'parentheses',
  ')': 'parentheses',
  '{': 'braces',
  '|': 'bars',
  '&': 'bars',
}

/** A text of several lines without carriage returns, and without the white space at the ends of its lines. */
function trimLines(text: string): string {
  return text
    .split('\n')
    .map((it, at) => (at === 0 ? it.trimEnd() : it.trim()))
    .join('\n')
    .trimEnd()
}
