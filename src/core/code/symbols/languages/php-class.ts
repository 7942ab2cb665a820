import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { NODE_WORDS, TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { anyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const FUNCTIONS = ['function_definition', 'method_declaration', 'anonymous_function']
const READERS_OF_NAMES =
  'compact extract get_defined_vars eval parse_str include include_once require require_once func_get_args ' +
  'debug_backtrace create_function'
const IN_FUNCTION = { around: FUNCTIONS, field: 'body', isHoisted: true } as const

/** How the class of a change of PHP is proved. */
export const phpClass: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: ['text', 'text_interpolation', 'heredoc', 'nowdoc', 'php_tag', 'php_end_tag', 'shell_command_expression'],
    leaves: ['variable_name'],
    literals: ['string', 'encapsed_string', 'string_content'],
    normalizesLineEnds: false,
    semicolons: [],
    commas: [
      'array_creation_expression',
      'arguments',
      'formal_parameters',
      'match_block',
      'anonymous_function_use_clause',
    ],
    plainString: (text, { type }) => (type === 'string' || type === 'encapsed_string' ? valueOf(text) : null),
    isSpareParenthesis,
    // Text outside of the tags is printed, with the white space at their ends.
    verbatim: /\?>[^]*?(?:<\?(?:php|=)|$)|^[^]*?<\?(?:php|=)|__halt_compiler[^]*$/gi,
  },
  moves: {
    containers: ['program', 'declaration_list', 'compound_statement'],
    prefixes: [],
    separators: ['text_interpolation'],
    movable,
  },
  names: {
    spaces: { variable_name: 'variable' },
    members: ['scoped_property_access_expression.name'],
    exposed: [
      ...[
        'simple_parameter',
        'variadic_parameter',
        'property_promotion_parameter',
        'global_declaration',
        'property_element',
      ],
      ...['dynamic_variable_name', 'member_access_expression.name', 'anonymous_function_use_clause', 'by_ref'],
    ],
    patterns: ['list_literal', 'pair', 'array_element_initializer'],
    binders: {
      'assignment_expression.left': IN_FUNCTION,
      'foreach_statement.': IN_FUNCTION,
      'static_variable_declaration.name': IN_FUNCTION,
      'catch_clause.name': IN_FUNCTION,
    },
    outsideFields: [],
    hidden: ['anonymous_function', 'function_definition', 'class_declaration', 'anonymous_class'],
    definitions: [],
    mentions: ['heredoc', '#raw', 'shell_command_expression'],
    reflection: new RegExp(`\\$\\s*[\\$\\{]|${anyWordOf(READERS_OF_NAMES).source}`, 'i'),
    reserved: /^\$(?:this|GLOBALS|_[A-Z]+|argc|argv|php_errormsg|http_response_header)$/,
  },
  toolComment: TOOL_COMMENTS.php,
  nodeWords: NODE_WORDS.php,
  // A program may read its own comments.
  toolText: /getDocComment|token_get_all/i,
}

const GROUPS = [
  'binary_expression',
  'variable_name',
  'integer',
  'float',
  'function_call_expression',
  'parenthesized_expression',
]

/** The value of a text in one line in which no escape is another character; null for any other text. */
function valueOf(text: string): string | null {
  const [, quote, inner = ''] = /^(['"])((?:(?!\1)[^\\\n]|\\[^\n])*)\1$/.exec(text) ?? []
  if (quote === undefined) return null
  const isRead = quote === '"' && /\$|\\[nrtvefxu0-7]/.test(inner.replaceAll('\\\\', ''))
  return isRead ? null : inner.replace(quote === '"' ? /\\([\\"])/g : /\\([\\'])/g, '$1')
}

function isSpareParenthesis({ node, parent, text }: NodePlace): boolean {
  const inner = node.children.find(it => it.isNamed && it.type !== 'comment')
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const isReturned = parent.type === 'return_statement' && inner.type === 'binary_expression'
  const isCondition = parent.type === 'conditional_expression' && node.field === 'condition'
  const isNegated = parent.type === 'unary_op_expression' && inner.type === 'parenthesized_expression'
  const isAround =
    isReturned ||
    isCondition ||
    isNegated ||
    parent.type === 'binary_expression' ||
    parent.type === 'parenthesized_expression' ||
    (parent.type === 'assignment_expression' && node.field === 'right')
  // Versions of PHP differ in the order of `.` and `+`, and words bind more loosely than `=`.
  const isLoose = [inner, parent].some(it => /^(?:\.|\?\?|and|or|xor|<=>|instanceof)$/i.test(operatorOf(it, text)))
  // Comparisons have no order among themselves.
  const isComparison = [inner, parent].every(it => /^(?:[<>]=?|[!=]==?|<>)$/.test(operatorOf(it, text)))
  return isAround && GROUPS.includes(inner.type) && !isLoose && !isComparison
}

function operatorOf(node: SyntaxNode, text: string): string {
  const operator = node.type === 'binary_expression' ? childWithField(node, 'operator') : null
  return operator ? sourceOf(text, operator) : ''
}

function movable({ node, parent, text }: NodePlace) {
  if (node.type === 'namespace_use_declaration')
    return { key: sourceOf(text, node).replace(/\s+/g, ' '), kind: 'use', passes: 'run' as const }
  const isFunction = node.type === 'function_definition' && parent?.type === 'program'
  const isMethod = node.type === 'method_declaration' && parent?.type === 'declaration_list'
  const hasAttribute = node.children.some(it => it.field === 'attributes')
  const name = (isFunction || isMethod) && !hasAttribute ? childWithField(node, 'name') : null
  if (!name) return null
  const key = sourceOf(text, name).toLowerCase()
  // What a name of a class means depends on the imports above the function.
  return isMethod ? { key, kind: 'method', passes: 'all' as const } : { key, kind: 'function', passes: 'run' as const }
}
