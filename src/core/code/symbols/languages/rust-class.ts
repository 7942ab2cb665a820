import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
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
    isSpareToken: ({ node, parent }) =>
      node.type === ',' && (parent?.type === 'match_arm' || isEndOfTuple(node, parent)),
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
}

function isSpareParenthesis({ node, parent }: NodePlace): boolean {
  const inner = node.children.find(it => it.isNamed)
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const callsField = parent.type === 'call_expression' && node.field === 'function' && inner.type === 'field_expression'
  const isTarget = /assignment/.test(parent.type) && node.field === 'left'
  return !callsField && !isTarget && !NEEDED.test(inner.type) && !isNeeded([inner, parent])
}

// A block at the beginning of a statement is the statement, and what follows a jump is its value.
const NEEDED = /struct_expression|range|closure|let_|block|^(?:if|match|loop|while|for|return|break|continue|yield)_/

// A type before `<` has arguments, and comparisons have no order.
function isNeeded(nodes: readonly [inner: SyntaxNode, parent: SyntaxNode]): boolean {
  const [operator = '', other = ''] = nodes.toReversed().map(it => childWithField(it, 'operator')?.type)
  const isComparison = [operator, other].every(it => /^(?:[<>]=?|[!=]=)$/.test(it))
  return isComparison || (nodes[0].type === 'type_cast_expression' && /^<[<=]?/.test(operator))
}

// These do not make a text of their arguments.
const PLAIN_MACRO =
  /^(?:e?print(?:ln)?|format|write(?:ln)?|vec|panic|(?:debug_)?assert_(?:eq|ne)|unreachable|todo|matches)$/

function markOf({ node, parent, text }: NodePlace): string {
  const source = (): string => sourceOf(text, node)
  if (node.type === 'attribute_item') return source().includes('macro_use') ? '#macro' : ''
  if (node.type === 'struct_item') return childWithField(node, 'body') ? '' : '#unit'
  if (node.type !== 'token_tree' || parent?.type !== 'macro_invocation') return ''
  const name = childWithField(parent, 'macro')
  const isPlain = name !== null && PLAIN_MACRO.test(sourceOf(text, name)) && !/!\s*[([{]/.test(source())
  return isPlain ? '' : `#${source().replace(/\s+/g, ' ')}`
}

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
