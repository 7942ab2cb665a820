import type { NodePlace } from '../classify/class-rules.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const MOVABLE_STATEMENTS = [
  ...['function_declaration', 'generator_function_declaration', 'interface_declaration', 'type_alias_declaration'],
]

/** What may change places in TypeScript, TSX and JavaScript. */
export function movableInJavascript({
  node,
  parent,
  text,
  prefixes,
}: NodePlace & { readonly prefixes: readonly SyntaxNode[] }) {
  if (prefixes.length > 0) return null
  if (node.type === 'import_statement') return importMove(node, text)
  if (node.type === 'import_specifier') return { key: sourceOf(text, node), kind: 'name', passes: 'run' as const }
  if (parent?.type === 'interface_body') return null
  if (node.type === 'method_definition' && parent?.type === 'class_body') return methodMove(node, { parent, text })
  const declaration = node.type === 'export_statement' ? (childWithField(node, 'declaration') ?? node) : node
  if (!MOVABLE_STATEMENTS.includes(declaration.type)) return null
  const name = childWithField(declaration, 'name')
  // In a block, a function may shadow another one from the line on at which it is evaluated.
  if (name === null || parent?.type !== 'program') return null
  if (parent.children.some(isOverload) || isNamespace(sourceOf(text, name), text)) return null
  return { key: sourceOf(text, name), kind: 'declaration', passes: 'all' as const }
}

// A function stands behind its other signatures, and before the namespace that has its name.
function isOverload(node: SyntaxNode): boolean {
  return (childWithField(node, 'declaration') ?? node).type === 'function_signature'
}

function isNamespace(name: string, text: string): boolean {
  return [...text.matchAll(/\b(?:namespace|module)\s+([\w$]+)/g)].some(it => it[1] === name)
}

// An import of names: without a clause it is there for its effect.
function importMove(node: SyntaxNode, text: string) {
  const hasNames = node.children.some(it => it.type === 'import_clause') && !/\{\s*\}/.test(sourceOf(text, node))
  if (!hasNames || node.children.some(it => it.type === 'import_attribute')) return null
  return {
    key: sourceOf(text, childWithField(node, 'source') ?? node).slice(1, -1),
    kind: 'import',
    passes: 'run' as const,
  }
}

function methodMove(node: SyntaxNode, { parent, text }: { parent: SyntaxNode; text: string }) {
  const name = childWithField(node, 'name')
  // The last of two methods of one name counts, and the name of another one may be computed.
  const isPlain = parent.children.every(it => it.type !== 'method_definition' || isPlainName(it, text))
  const isOverloaded = parent.children.some(it => it.type === 'method_signature')
  const isDecorated = node.children.some(it => it.type === 'decorator')
  return name && isPlain && !isDecorated && !isOverloaded
    ? { key: sourceOf(text, name), kind: 'method', passes: 'all' as const }
    : null
}

function isPlainName(method: SyntaxNode, text: string): boolean {
  const name = childWithField(method, 'name')
  return name !== null && /^(?:private_)?property_identifier$/.test(name.type) && !sourceOf(text, name).includes('\\')
}
