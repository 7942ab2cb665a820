import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { NODE_WORDS, TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const FUNCTIONS = ['function_item', 'closure_expression']
const GENERICS = [
  'function_item',
  'impl_item',
  'struct_item',
  'enum_item',
  'trait_item',
  'type_item',
  'function_signature_item',
]

// In a pattern, a name with a capital is a constant or a variant.
const VARIABLE = /^[a-z_]/
// Of a module whose names are all imported, one may be a constant in small letters.
const GLOB = /\buse\b[^;]*\b(?!super\b|prelude\b)[a-z]\w*::(?:\{[^;]*)?\*/

/** How the class of a change of Rust is proved. */
export const rustClass: ClassRules = {
  layout: {
    comments: ['line_comment', 'block_comment'],
    raw: [],
    leaves: ['lifetime', 'label'],
    literals: ['string_literal', 'raw_string_literal', 'char_literal'],
    normalizesLineEnds: true,
    semicolons: [],
    commas: [
      ...['arguments', 'parameters', 'array_expression', 'field_declaration_list', 'enum_variant_list', 'match_block'],
      ...['field_initializer_list', 'use_list', 'type_arguments', 'type_parameters', 'closure_parameters', 'match_arm'],
      ...['ordered_field_declaration_list', 'struct_pattern', 'tuple_struct_pattern', 'where_clause'],
    ],
    plainString: () => null,
    isSpareParenthesis,
    spacing: markOf,
    isSpareToken: ({ node, parent, text }) =>
      node.type === ',' &&
      (parent?.type === 'match_arm' || isEndOfTuple(node, parent) || isEndOfList(node, { parent, text })),
  },
  moves: {
    containers: ['source_file', 'declaration_list', 'use_list'],
    prefixes: ['attribute_item'],
    separators: ['macro_definition', 'macro_invocation', 'inner_attribute_item', 'attribute_item#macro'],
    movable,
  },
  names: {
    spaces: {
      identifier: 'value',
      type_identifier: 'type',
      lifetime: 'lifetime',
      label: 'label',
      shorthand_field_identifier: 'value',
    },
    members: [],
    exposed: [
      'shorthand_field_initializer',
      'shorthand_field_identifier',
      'scoped_identifier',
      'function_item.name',
      'tuple_struct_pattern.type',
      'use_list',
      'scoped_use_list',
      'use_as_clause',
      'macro_invocation.macro',
    ],
    patterns: [
      'tuple_pattern',
      'tuple_struct_pattern',
      'mut_pattern',
      'ref_pattern',
      'reference_pattern',
      'slice_pattern',
      'captured_pattern',
      'match_pattern',
      'field_pattern.pattern',
      'struct_pattern',
      'or_pattern',
    ],
    binders: {
      'let_declaration.pattern': { around: ['block'], names: VARIABLE },
      'let_condition.pattern': {
        around: ['if_expression', 'while_expression', 'match_arm'],
        names: VARIABLE,
        reflection: GLOB,
      },
      'for_expression.pattern': { around: ['for_expression'], names: VARIABLE },
      'match_arm.pattern': { around: ['match_arm'], names: VARIABLE, reflection: GLOB },
      'parameter.pattern': { around: [...FUNCTIONS, 'function_type', 'function_signature_item'], names: VARIABLE },
      'closure_parameters.': { around: ['closure_expression'], names: VARIABLE },
      'loop_expression.': { around: ['loop_expression'] },
      'while_expression.': { around: ['while_expression'] },
      'for_expression.': { around: ['for_expression'] },
      'type_parameter.name': { around: GENERICS, isHoisted: true },
      'lifetime_parameter.name': { around: GENERICS, isHoisted: true },
    },
    outsideFields: [
      'let_declaration.value',
      'let_condition.value',
      'for_expression.value',
      'if_expression.alternative',
      'let_declaration.alternative',
      'let_declaration.type',
      'parameter.type',
    ],
    hidden: [
      'function_item',
      'impl_item',
      'mod_item',
      'const_item',
      'static_item',
      'struct_item',
      'enum_item',
      'trait_item',
    ],
    // In a pattern, the name of a constant is not a variable.
    definitions: ['macro_definition', 'use_declaration', 'const_item', 'static_item', 'struct_item#unit'],
    mentions: ['token_tree', 'macro_definition', 'attribute_item', 'inner_attribute_item'],
    reflection: /\b(?:include|concat_idents|quote|paste)!/,
    reserved: onlyWordOf("_ self 'static '_ Self"),
  },
  toolComment: TOOL_COMMENTS.rust,
  nodeWords: NODE_WORDS.rust,
}

function isSpareParenthesis({ node, parent }: NodePlace): boolean {
  if (node.type === 'block') return isSpareBlock(node, parent)
  if (node.type === 'expression_statement') return node.children.length === 1 && parent?.children.length === 3
  const inner = node.children.find(it => it.isNamed && !COMMENT.test(it.type))
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const callsField = parent.type === 'call_expression' && node.field === 'function' && inner.type === 'field_expression'
  const isTarget = /assignment/.test(parent.type) && node.field === 'left'
  return !callsField && !isTarget && !NEEDED.test(inner.type) && !isNeeded([inner, parent])
}

const COMMENT = /^(?:line|block)_comment$/

// The body of a closure or of an arm of a match: temporary values live as long with braces as without.
function isSpareBlock(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const isBody = parent?.type === 'closure_expression' && node.field === 'body'
  const isValue = parent?.type === 'match_arm' && node.field === 'value'
  if (!(isBody || isValue) || childWithField(parent!, 'return_type')) return false
  const parts = node.children.filter(it => !COMMENT.test(it.type))
  if (parts.length !== 3 || parts[0]!.type !== '{') return false
  const last = parts[1]!
  const inner = last.type === 'expression_statement' && last.children.length === 1 ? last.children[0]! : last
  // A macro at the end of a block may make statements.
  return inner.isNamed && VALUE.test(inner.type) && !/^(?:let|const|static|macro)_/.test(inner.type)
}

const VALUE = /_(?:expression|literal)$|^(?:(?:scoped_)?identifier|self)$/

// A block at the beginning of a statement is the statement, and what follows a jump is its value.
const NEEDED = /struct_expression|range|closure|let_|block|^(?:if|match|loop|while|for|return|break|continue|yield)_/

// A type before `<` has arguments, and comparisons have no order.
function isNeeded(nodes: readonly [inner: SyntaxNode, parent: SyntaxNode]): boolean {
  const [operator = '', other = ''] = nodes.toReversed().map(it => childWithField(it, 'operator')?.type)
  const isComparison = [operator, other].every(it => /^(?:[<>]=?|[!=]=)$/.test(it))
  if (isComparison || nodes[0].type !== 'type_cast_expression') return isComparison
  return /^<[<=]?/.test(operator) || /^(?:field|index|try|await|call|range)_expression$/.test(nodes[1].type)
}

// These do not make a text of their arguments.
const PLAIN_MACRO =
  /^(?:e?print(?:ln)?|format|write(?:ln)?|vec|panic|(?:debug_)?assert(?:_eq|_ne)?|unreachable|todo|matches|ready)$/

function markOf({ node, parent, text }: NodePlace): string {
  const source = (): string => sourceOf(text, node)
  if (node.type === 'attribute_item') return source().includes('macro_use') ? '#macro' : ''
  if (node.type === 'struct_item') return childWithField(node, 'body') ? '' : '#unit'
  if (node.type !== 'token_tree' || parent?.type !== 'macro_invocation') return ''
  const name = childWithField(parent, 'macro')
  const within = source().matchAll(/(\w*)\s*!\s*[([{]/g)
  const macros = [name ? sourceOf(text, name) : '', ...[...within].map(it => it[1] ?? '')]
  // An assertion prints its condition, and a macro in it with its white space.
  const isShown = macros.length > 1 && macros.some(it => /^(?:debug_)?assert$/.test(it))
  if (!isShown && macros.every(it => PLAIN_MACRO.test(it))) return ''
  // No macro is given the white space beside its brackets.
  const words = source().replace(/\s+/g, ' ')
  return `#${words.replace(/^(.) | (.)$/g, '$1$2')}`
}

// A macro that takes a list, and an attribute that is one.
function isEndOfList(node: SyntaxNode, { parent, text }: { parent: SyntaxNode | null; text: string }): boolean {
  if (parent?.type !== 'token_tree' || parent.children.at(-2) !== node) return false
  const before = text.slice(Math.max(0, parent.start - NAME_CHARS_MAX), parent.start)
  return LIST.test(before)
}

const NAME_CHARS_MAX = 40
const LIST =
  /[^\w:](?:(?:e?print(?:ln)?|format|write(?:ln)?|vec|panic|(?:debug_)?assert(?:_eq|_ne)?)\s*!|\[\s*derive)\s*$/

// A tuple of one needs its comma.
function isEndOfTuple(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const isTuple = /^tuple_(?:expression|pattern|type)$/.test(parent?.type ?? '')
  const named = parent?.children.filter(it => it.isNamed).length ?? 0
  return isTuple && parent!.children.at(-2) === node && named > 1
}

const ITEMS = ['function_item', 'struct_item', 'enum_item', 'type_item', 'union_item']
const INERT = /^#\[\s*(?:inline(?:\(\w+\))?|must_use|test|allow\([\w:, ]*\))\s*\]$/

function movable({ node, parent, text, prefixes }: NodePlace & { readonly prefixes: readonly SyntaxNode[] }) {
  const isInert = prefixes.every(it => INERT.test(sourceOf(text, it)))
  if (parent?.type === 'use_list')
    return node.isNamed ? { key: sourceOf(text, node), kind: 'name', passes: 'run' as const } : null
  const isAll = sourceOf(text, node).includes('*')
  if (node.type === 'use_declaration' && prefixes.length === 0 && !isAll)
    return { key: sourceOf(text, node).replace(/[{;].*/s, ''), kind: 'import', passes: 'run' as const }
  const name = ITEMS.includes(node.type) && isInert ? childWithField(node, 'name') : null
  return name && { key: sourceOf(text, name), kind: 'item', passes: 'all' as const }
}
