/**
 * A node of a parsed text, as a value. Offsets count UTF-16 units and rows count from 0, as tree-sitter has them; an
 * `endRow` is the row of the last character. `field` is the node's role in its parent. A broken node is one that the
 * parser could not read, or that it added.
 */
export type SyntaxNode = {
  readonly type: string
  readonly isNamed: boolean
  readonly isBroken: boolean
  readonly field: string | null
  readonly start: number
  readonly end: number
  readonly row: number
  readonly endRow: number
  readonly children: readonly SyntaxNode[]
}

/** A text with its tree. */
export type ParsedText = { readonly text: string; readonly root: SyntaxNode }

/** The part of a text that a node covers. */
export function sourceOf(text: string, node: SyntaxNode): string {
  return text.slice(node.start, node.end)
}

/** The child with this role, or null. */
export function childWithField(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.children.find(it => it.field === field) ?? null
}

/** A node that covers these two and what is between them, and has no children. */
export function nodesAsOne(first: SyntaxNode, last: SyntaxNode): SyntaxNode {
  return { ...first, end: last.end, endRow: last.endRow, isNamed: true, children: [] }
}

/**
 * Calls `visit` with each node and its ancestors, the parent last, in the order of the text; false skips children.
 * A chain of operators can be deeper than calls may be nested, so no call is nested here.
 */
export function walkTree(
  root: SyntaxNode,
  visit: (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => boolean | undefined,
): void {
  const ancestors: SyntaxNode[] = []
  const visited: number[] = []
  let node: SyntaxNode | undefined = root
  while (node) {
    if (visit(node, ancestors) !== false) {
      ancestors.push(node)
      visited.push(0)
    }
    node = nextNode(ancestors, visited)
  }
}

// `visited` counts for each ancestor the children that a walk has seen.
function nextNode(ancestors: SyntaxNode[], visited: number[]): SyntaxNode | undefined {
  while (ancestors.length > 0) {
    const child = ancestors.at(-1)!.children[visited.at(-1)!]
    visited[visited.length - 1]! += 1
    if (child) return child
    ancestors.pop()
    visited.pop()
  }
  return undefined
}
