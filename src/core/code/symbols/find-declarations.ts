import type { Declaration, DeclarationRules } from './declaration.ts'
import { type ParsedText, sourceOf, type SyntaxNode, walkTree } from './syntax-node.ts'

/** The declarations of a text, in the order of their names' lines. */
export function findDeclarations({ text, root }: ParsedText, rules: DeclarationRules): Declaration[] {
  const found: Declaration[] = []
  const around: { name: string; end: number }[] = []
  walkTree(root, (node, ancestors) => {
    while ((around.at(-1)?.end ?? Infinity) <= node.start) around.pop()
    const owner = Object.hasOwn(rules.owners ?? {}, node.type) ? rules.owners![node.type]!(node) : null
    if (owner) around.push({ name: nameIn(sourceOf(text, owner)), end: node.end })
    const declared = Object.hasOwn(rules.declares, node.type)
      ? rules.declares[node.type]!(node, { text, ancestors })
      : null
    const names = declared?.names
      .map(it => ({ node: it, name: nameIn(sourceOf(text, it)) }))
      .filter(it => it.name !== '')
    if (declared === null || !names || names.length === 0) return true
    const whole = outermost(node, ancestors, rules)
    const start = firstPrefix(whole, parentOf(whole, ancestors), rules)
    for (const it of names) {
      found.push({
        name: it.name,
        kind: declared.kind,
        line: it.node.row + 1,
        startLine: start.row + 1,
        endLine: whole.endRow + 1,
        container: declared.owner ? nameIn(sourceOf(text, declared.owner)) : (around.at(-1)?.name ?? null),
      })
    }
    around.push({ name: names[0]!.name, end: node.end })
    return true
  })
  return found
}

function nameIn(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The declaration with what belongs to it: `export`, decorators, `template<>`. */
function outermost(node: SyntaxNode, ancestors: readonly SyntaxNode[], rules: DeclarationRules): SyntaxNode {
  let whole = node
  for (let at = ancestors.length - 1; at >= 0 && rules.wrappers.includes(ancestors[at]!.type); at--)
    whole = ancestors[at]!
  return whole
}

function parentOf(node: SyntaxNode, ancestors: readonly SyntaxNode[]): SyntaxNode | undefined {
  const at = ancestors.lastIndexOf(node)
  return ancestors.at(at < 0 ? -1 : at - 1)
}

function firstPrefix(node: SyntaxNode, parent: SyntaxNode | undefined, rules: DeclarationRules): SyntaxNode {
  if (rules.prefixes.length === 0) return node
  const siblings = parent?.children ?? []
  let at = positionIn(siblings, node)
  while (at > 0 && rules.prefixes.includes(siblings[at - 1]!.type)) at--
  return siblings[at] ?? node
}

// A file may have thousands of siblings, in the order of the text.
function positionIn(siblings: readonly SyntaxNode[], node: SyntaxNode): number {
  let low = 0
  let high = siblings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (siblings[middle]!.end < node.end) low = middle + 1
    else high = middle
  }
  return siblings.indexOf(node, low)
}
