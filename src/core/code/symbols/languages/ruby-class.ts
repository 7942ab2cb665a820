import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { anyWordOf, onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const READERS_OF_NAMES =
  'binding eval instance_eval class_eval module_eval local_variables local_variable_[gs]et instance_exec ' +
  '__method__ parameters DATA ERB'
const CLOSURES = ['method', 'singleton_method', 'block', 'do_block', 'lambda']

/** How the class of a change of Ruby is proved. */
export const rubyClass: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: ['heredoc_body', 'heredoc_beginning', 'uninterpreted'],
    leaves: [],
    literals: [
      'string',
      'string_content',
      'regex',
      'subshell',
      'string_array',
      'symbol_array',
      'delimited_symbol',
      'character',
      'bare_string',
      'interpolation',
    ],
    normalizesLineEnds: true,
    semicolons: [
      'program',
      'body_statement',
      'then',
      'do',
      'begin',
      'block_body',
      'else',
      'ensure',
      'rescue',
      'class',
      'module',
      'method',
    ],
    commas: ['array', 'hash', 'argument_list'],
    plainString: (text, { type }) => (type === 'string' ? (/^(['"])([^'"\\#\n]*)\1$/.exec(text)?.[2] ?? null) : null),
    isSpareParenthesis,
    spacing,
  },
  moves: {
    containers: ['program', 'body_statement'],
    prefixes: [],
    separators: [],
    movable,
  },
  names: {
    spaces: { identifier: 'name' },
    members: ['call.method', 'method.name', 'singleton_method.name', 'keyword_parameter.name', 'alias.', 'undef.'],
    exposed: ['keyword_parameter', 'hash_key_symbol#short', 'setter', 'keyword_pattern', 'method_parameters.locals'],
    patterns: [
      'left_assignment_list',
      'destructured_left_assignment',
      'rest_assignment',
      'destructured_parameter',
      'exception_variable',
      'splat_parameter.name',
      'optional_parameter.name',
      'block_parameter.name',
      'hash_splat_parameter.name',
    ],
    binders: {
      'assignment.left': { around: CLOSURES, isShared: true },
      'rescue.variable': { around: CLOSURES, isShared: true },
      'for.pattern': { around: CLOSURES, isShared: true },
      'method_parameters.': { around: ['method', 'singleton_method'] },
      'block_parameters.': { around: ['block', 'do_block'] },
      'lambda_parameters.': { around: ['lambda'] },
    },
    outsideFields: [],
    hidden: ['class', 'module', 'singleton_class', 'method', 'singleton_method'],
    definitions: [],
    mentions: ['heredoc_body', '#raw', 'case_match', 'regex'],
    reflection: anyWordOf(READERS_OF_NAMES),
    reserved: onlyWordOf('_\\w* it self private public protected block_given\\?'),
  },
  toolComment: TOOL_COMMENTS.ruby,
  // The columns of a table, each in a comment of its own.
  toolList: /Schema Information/,
}

const GROUPS = ['binary', 'identifier', 'integer', 'float', 'element_reference']

function isSpareParenthesis({ node, parent, text }: NodePlace): boolean {
  const [inner, ...more] = node.children.filter(it => it.isNamed && it.type !== 'comment')
  if (node.type !== 'parenthesized_statements' || !inner || more.length > 0 || !parent) return false
  const isWord = [inner, parent].some(it => it.type === 'binary' && /\b(?:and|or|not)\b/.test(operatorOf(it, text)))
  // Without them, the operator may begin an argument of the name.
  if (inner.type === 'identifier' && parent.type === 'binary' && node.field === 'left') return false
  const isCondition = node.field === 'condition' && /^(?:if|unless|while|until)$/.test(parent.type)
  const isAround = isCondition || parent.type === 'binary' || (parent.type === 'assignment' && node.field === 'right')
  return isAround && GROUPS.includes(inner.type) && !isWord
}

function operatorOf(node: SyntaxNode, text: string): string {
  const operator = childWithField(node, 'operator')
  return operator ? sourceOf(text, operator) : ''
}

// Before `(`, `[` and after an operator, Ruby reads white space.
function spacing({ node, parent, text }: NodePlace): string {
  if (node.type === 'hash_key_symbol') return parent && childWithField(parent, 'value') ? '' : '#short'
  const isBracket =
    /^[[(]$/.test(node.type) && /^(argument_list|element_reference|method_parameters)$/.test(parent?.type ?? '')
  const isOperator = node.field === 'operator' && /^(?:[-+*&/%?[<:]|<<|::|\*\*)$/.test(node.type)
  if (!isBracket && !isOperator) return ''
  const before = /\s/.test(text[node.start - 1] ?? '')
  const after = /\s/.test(text[node.end] ?? '')
  if (isBracket) return before ? '#apart' : ''
  return before && !after ? '#prefix' : ''
}

// Any other call may be about the method that follows it.
const PLAIN_CALL =
  /^(?:attr_\w+|include|extend|prepend|private|protected|public|require\w*|belongs_to|has_\w+|validates?\w*)\b/

function isMarked(node: SyntaxNode, { parent, text }: { parent: SyntaxNode | null; text: string }): boolean {
  const siblings = parent?.children.filter(it => it.isNamed && it.type !== 'comment') ?? []
  const last = siblings[siblings.indexOf(node) - 1]
  return last !== undefined && /^(?:call|identifier)$/.test(last.type) && !PLAIN_CALL.test(sourceOf(text, last))
}

function movable({ node, parent, text }: NodePlace) {
  if (isMarked(node, { parent, text })) return null
  const name = /^(singleton_)?method$/.test(node.type) ? childWithField(node, 'name') : null
  if (name === null || /^(?:initialize|method_added|inherited|included)$/.test(sourceOf(text, name))) return null
  const kind = node.type === 'method' ? 'method' : 'singleton method'
  return { key: sourceOf(text, name), kind, passes: 'run' as const }
}
