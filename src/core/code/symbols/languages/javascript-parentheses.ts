import type { NodePlace } from '../classify/class-rules.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const CHAIN = ['member_expression', 'subscript_expression', 'call_expression', 'new_expression']

/** True for parentheses in TypeScript or JavaScript that only repeat the grouping of the tree. */
export function isSpareInJavascript({ node, parent, text }: NodePlace): boolean {
  const inner = node.children.find(it => it.isNamed && it.type !== 'comment')
  if (inner && /^(?:union|intersection)_type$/.test(node.type)) return isOneType(node)
  if (inner && parent && node.type === 'parenthesized_type') return isPlainType(inner, parent)
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const isAssigned = /assignment|for_in|update/.test(parent.type)
  const isTarget = isAssigned && (node.field === 'left' || node.field === 'argument')
  // Outside of the parentheses an optional chain ends, and the whole is not a target or a directive.
  const endsChain = CHAIN.includes(parent.type) && sourceOf(text, inner).includes('?.')
  const isDirective = parent.type === 'expression_statement' && inner.type === 'string'
  // A tool reads `/** @type {A} */ (a)` and `/* #__PURE__ */ (f() + 1)` in another way without them.
  const isMarked = text
    .slice(Math.max(0, node.start - SPACE_CHARS_MAX), node.start)
    .trimEnd()
    .endsWith('*/')
  return !isTarget && !endsChain && !isDirective && !isMarked && !isNeeded(inner, { node, parent, text })
}

const SPACE_CHARS_MAX = 400

const SHORT_TYPE = /^(?:(?:union|intersection|generic|predefined|object)_type|type_identifier)$/

// `| A`, as in a list of types with a bar at the begin of each line.
function isOneType({ children }: SyntaxNode): boolean {
  return children.filter(it => it.isNamed && it.type !== 'comment').length === 1
}

// A type that reaches as far as it can, such as that of a function, may need them.
function isPlainType(inner: SyntaxNode, parent: SyntaxNode): boolean {
  if (/^(?:as|satisfies)_expression$/.test(parent.type))
    return SHORT_TYPE.test(inner.type) || inner.type === 'function_type'
  return SHORT_TYPE.test(inner.type) && /^(?:parenthesized_type|union_type|type_annotation)$/.test(parent.type)
}

// In the head of a `for`, the word would make another loop of it.
function hasIn({ type, children }: SyntaxNode): boolean {
  if (OWN_TEXT.test(type)) return false
  return children.some(it => (it.type === 'in' && !it.isNamed) || hasIn(it))
}

const OWN_TEXT = /^(?:statement_block|class_body|parenthesized_expression|arguments|array|object|template_string)$/

// An assignment between `?`, `:` and commas, a list that is a statement, and a function that is called.
function isClosed(inner: SyntaxNode, { node, parent }: { node: SyntaxNode; parent: SyntaxNode }): boolean {
  const called = inner.type === 'call_expression' ? childWithField(inner, 'function') : null
  if (called?.type === 'function_expression' || inner.type === 'sequence_expression')
    return parent.type === 'expression_statement'
  if (/^(?:augmented_)?assignment_expression$/.test(inner.type))
    return parent.type === 'sequence_expression' || (parent.type === 'ternary_expression' && node.field !== 'condition')
  return inner.type === 'function_expression' && parent.type === 'call_expression' && node.field === 'function'
}

// What binds more loosely than an operator, what a statement may not begin with, and where both may be.
const LOOSE = /^(?:arrow_function|yield_expression|(?:augmented_)?assignment_expression|sequence_expression)$/
/** What a statement that is an expression does not begin with. */
export const LEFT_EDGE = /^\s*(?:async\s+function|function|class|let|\{)/
const PLACES =
  /^(?:variable_declarator|assignment_expression|return_statement|parenthesized_expression|arguments|pair)$/

// Without them, the text is a declaration, or no program.
function isNeeded(
  inner: SyntaxNode,
  { node, parent, text }: { node: SyntaxNode; parent: SyntaxNode; text: string },
): boolean {
  if (/^(?:export_statement|decorator|new_expression|class_heritage|extends_clause)$/.test(parent.type)) return true
  const source = sourceOf(text, inner)
  const isLoose = (LOOSE.test(inner.type) || LEFT_EDGE.test(source)) && !isClosed(inner, { node, parent })
  // A type reads what follows it.
  if (/^(?:as|satisfies)_expression$/.test(inner.type) && !PLACES.test(parent.type)) return true
  if (hasIn(inner) || (isLoose && !PLACES.test(parent.type))) return true
  if (inner.type === 'sequence_expression')
    return !/^(?:return_statement|parenthesized_expression|expression_statement)$/.test(parent.type)
  const operators = [inner, parent].map(it => childWithField(it, 'operator')).map(it => it && sourceOf(text, it))
  if (operators.includes('**') && parent.type === 'binary_expression') return /unary|await/.test(inner.type)
  return operators.includes('??') && operators.some(it => it === '||' || it === '&&')
}
