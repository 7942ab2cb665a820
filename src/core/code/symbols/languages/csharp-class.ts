import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { anyWordOf, onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const BLOCKS = [
  ...[
    'block',
    'for_statement',
    'foreach_statement',
    'using_statement',
    'switch_body',
    'catch_clause',
    'fixed_statement',
  ],
]

/** How the class of a change of C# is proved. */
export const csharpClass: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: [
      'preproc_if',
      'preproc_region',
      'preproc_endregion',
      'preproc_pragma',
      'preproc_define',
      'preproc_line',
      'preproc_nullable',
    ],
    leaves: [],
    literals: [
      ...['string_literal', 'verbatim_string_literal', 'raw_string_literal', 'interpolated_string_expression'],
      ...['character_literal', 'string_content', 'interpolation', 'interpolation_format_clause'],
    ],
    normalizesLineEnds: false,
    semicolons: [],
    commas: [
      'initializer_expression',
      'enum_member_declaration_list',
      'switch_expression',
      'anonymous_object_creation_expression',
      'collection_expression',
    ],
    plainString: () => null,
    isSpareParenthesis,
    // The names of a tuple's elements are those of its variables.
    spacing: markOf,
  },
  moves: {
    containers: ['compilation_unit', 'declaration_list'],
    prefixes: [],
    separators: ['preproc_pragma', 'preproc_nullable', 'preproc_line', 'preproc_region', 'preproc_endregion'],
    movable,
  },
  names: {
    spaces: { identifier: 'name' },
    members: [
      'member_access_expression.name',
      'member_binding_expression.name',
      'argument.name',
      'qualified_name.name',
      'attribute.name',
    ],
    exposed: [
      ...[
        'tuple_expression',
        'tuple_element',
        'anonymous_object_creation_expression',
        'initializer_expression',
        'assignment_expression#member.left',
      ],
      ...[
        'subpattern',
        'property_pattern_clause',
        'constant_pattern',
        'local_function_statement.name',
        'query_expression',
        'argument#tuple',
      ],
      ...[
        'method_declaration.name',
        'generic_name',
        'case_switch_label',
        'name_colon',
        'with_initializer',
        'label_statement',
        'goto_statement',
      ],
    ],
    patterns: ['variable_declaration.', 'tuple_pattern', 'parenthesized_variable_designation'],
    binders: {
      'variable_declarator.name': { around: BLOCKS },
      'foreach_statement.left': { around: ['foreach_statement'] },
      'catch_declaration.name': { around: ['catch_clause'] },
      'declaration_expression.name': { around: ['block'] },
      'declaration_pattern.name': { around: ['block'] },
      'type_parameter.name': {
        around: ['method_declaration', 'local_function_statement', 'delegate_declaration'],
        isHoisted: true,
      },
      'lambda_expression.parameters': { around: ['lambda_expression'], isHoisted: true },
    },
    outsideFields: ['foreach_statement.right'],
    hidden: ['query_expression', 'class_declaration'],
    definitions: [],
    mentions: ['preproc_if', '#raw'],
    reflection: anyWordOf(
      'nameof CallerArgumentExpression dynamic Expression ThrowIf\\w* Should\\w* Guard Ensure Assert',
    ),
    reserved: onlyWordOf(
      '_ var dynamic async await yield get set field nameof from select where when record partial global args',
    ),
  },
  toolComment: TOOL_COMMENTS.csharp,
}

function markOf({ node, parent }: NodePlace): string {
  if (node.type === 'argument' && parent?.type === 'tuple_expression') return '#tuple'
  return node.type === 'assignment_expression' && parent?.type === 'initializer_expression' ? '#member' : ''
}

const AROUND = [
  'binary_expression',
  'parenthesized_expression',
  'assignment_expression',
  'return_statement',
  'variable_declarator',
  'conditional_expression',
  'arrow_expression_clause',
]
const GROUPS = [
  'binary_expression',
  'identifier',
  'integer_literal',
  'real_literal',
  'string_literal',
  'boolean_literal',
  'invocation_expression',
  'prefix_unary_expression',
  'parenthesized_expression',
  'member_access_expression',
]

function isSpareParenthesis({ node, parent }: NodePlace): boolean {
  const inner = node.children.find(it => it.isNamed && it.type !== 'comment')
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const isTarget = parent.type === 'assignment_expression' && node.field === 'left'
  return !isTarget && AROUND.includes(parent.type) && GROUPS.includes(inner.type)
}

const TYPES = [
  'class_declaration',
  'struct_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'delegate_declaration',
]

function movable({ node, parent, text }: NodePlace) {
  if (node.type === 'using_directive')
    return { key: sourceOf(text, node).replace(/\s+/g, ' '), kind: 'using', passes: 'run' as const }
  const name = childWithField(node, 'name')
  const isMovable =
    TYPES.includes(node.type) || (node.type === 'method_declaration' && parent?.type === 'declaration_list')
  if (!isMovable || name === null || isSpecial(node, text)) return null
  return {
    key: sourceOf(text, name),
    kind: node.type === 'method_declaration' ? 'method' : 'type',
    passes: 'all' as const,
  }
}

function isSpecial(node: SyntaxNode, text: string): boolean {
  // What is called by COM is called by its position.
  if (/\bCom(?:Import|Visible|Interface)|GeneratedCom/.test(text)) return true
  return node.children.some(
    it => it.type === 'attribute_list' || (it.type === 'modifier' && /partial|extern/.test(sourceOf(text, it))),
  )
}
