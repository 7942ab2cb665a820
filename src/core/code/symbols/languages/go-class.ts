import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const FUNCTIONS = ['function_declaration', 'method_declaration', 'func_literal']
const SIGNATURES = [...FUNCTIONS, 'function_type', 'method_elem', 'method_spec']
// The parameters of a function and the names of its body are in one scope.
const BLOCKS = [
  ...FUNCTIONS,
  ...['block', 'for_statement', 'if_statement', 'expression_switch_statement', 'type_switch_statement'],
  ...['expression_case', 'type_case', 'default_case', 'communication_case', 'select_statement'],
]

/** How the class of a change of Go is proved. */
export const goClass: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: [],
    leaves: [],
    literals: ['raw_string_literal', 'interpreted_string_literal', 'rune_literal'],
    normalizesLineEnds: true,
    semicolons: [
      'source_file',
      'statement_list',
      'import_spec_list',
      'field_declaration_list',
      'type_declaration',
      'const_declaration',
      'var_declaration',
      'var_spec_list',
      'interface_type',
      'block',
    ],
    commas: ['argument_list', 'parameter_list', 'literal_value', 'type_parameter_list', 'type_arguments'],
    plainString: () => null,
    // The letters of a number may be capitals.
    spelling: ({ node, text }) =>
      /^(?:int|float|imaginary)_literal$/.test(node.type) ? sourceOf(text, node).toLowerCase() : null,
    spacing: ({ node, parent }) => (node.type === 'block' && FUNCTIONS.includes(parent?.type ?? '') ? '#body' : ''),
    isSpareParenthesis: ({ node, parent, text }) =>
      node.type === 'parenthesized_expression' && !isTarget({ node, parent, text }),
  },
  moves: {
    containers: ['source_file', 'import_spec_list'],
    prefixes: [],
    separators: [],
    movable,
  },
  names: {
    spaces: { identifier: 'name', type_identifier: 'name', package_identifier: 'name', label_name: 'label' },
    members: [],
    exposed: [
      'dot',
      'struct_type',
      'function_declaration.name',
      'type_spec.name',
      'type_alias.name',
      'package_clause',
      'literal_element',
    ],
    patterns: ['short_var_declaration.left/expression_list', 'expression_list'],
    binders: {
      'short_var_declaration.left': { around: BLOCKS },
      'var_spec.name': { around: BLOCKS },
      'const_spec.name': { around: BLOCKS },
      'range_clause.left': { around: BLOCKS },
      'receive_statement.left': { around: BLOCKS },
      'type_switch_statement.alias': { around: BLOCKS },
      'parameter_declaration.name': { around: SIGNATURES, isHoisted: true },
      'variadic_parameter_declaration.name': { around: SIGNATURES, isHoisted: true },
      'type_parameter_declaration.name': { around: FUNCTIONS, isHoisted: true },
      'import_spec.name': { around: ['#file', 'source_file'], isHoisted: true },
      'labeled_statement.label': { around: FUNCTIONS, isHoisted: true },
    },
    outsideFields: [
      ...[
        'short_var_declaration.right',
        'var_spec.value',
        'const_spec.value',
        'range_clause.right',
        'receive_statement.right',
      ],
      ...['type_switch_statement.value'],
    ],
    hidden: [],
    definitions: [],
    mentions: [],
    reflection: /import "C"/,
    reserved: onlyWordOf('_ init main iota nil C'),
  },
  toolComment: TOOL_COMMENTS.go,
  toolList: /^\/\/\s*(?:unordered )?output:/i,
  // The comment before it is code in C.
  toolText: /linecomment|\bimport\s*(?:\(\s*)?"C"/,
}

function isTarget({ node, parent, text }: NodePlace): boolean {
  // A composite literal needs them in the header of a statement, where the tree does not show it.
  const isLiteral = sourceOf(text, node).includes('{')
  return isLiteral || /assignment|^(?:short_var|receive|defer|go_)/.test(parent?.type ?? '')
}

function movable({ node, parent, text }: NodePlace) {
  if (parent?.type === 'import_spec_list') return importMove(node, text)
  if (node.type === 'type_declaration') {
    const specs = node.children.filter(it => it.isNamed)
    const name = specs.length === 1 ? childWithField(specs[0]!, 'name') : null
    return name && { key: sourceOf(text, name), kind: 'type', passes: 'all' as const }
  }
  const name = /^(function|method)_declaration$/.test(node.type) ? childWithField(node, 'name') : null
  if (name === null || /^(init|_)$/.test(sourceOf(text, name))) return null
  const receiver = childWithField(node, 'receiver')
  const owner = receiver ? sourceOf(text, receiver).replace(/^\(\s*(?:\w+\s+)?/, '') : ''
  return { key: `${owner} ${sourceOf(text, name)}`.trim(), kind: 'function', passes: 'all' as const }
}

// An import for its effect, of all names, or of C is not one that only binds a name.
function importMove(node: SyntaxNode, text: string) {
  const name = childWithField(node, 'name')
  const path = childWithField(node, 'path')
  const isPlain = name === null || name.type === 'package_identifier'
  const source = path ? sourceOf(text, path) : ''
  return node.type === 'import_spec' && isPlain && source !== '"C"'
    ? { key: source, kind: 'import', passes: 'run' as const }
    : null
}
