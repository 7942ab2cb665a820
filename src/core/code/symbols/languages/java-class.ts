import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const METHODS = ['method_declaration', 'constructor_declaration', 'lambda_expression']
// Frameworks read the names of these parameters, and those of a record are members.
const READ = ['method_declaration#read', 'constructor_declaration#read', 'record_declaration']
const OF_METHOD = { around: [...METHODS, ...READ], except: READ, isHoisted: true } as const
const BLOCKS = [
  ...['block', 'constructor_body', 'for_statement', 'enhanced_for_statement', 'try_with_resources_statement'],
  ...['switch_block', 'switch_rule', 'static_initializer'],
]
const TYPED = [
  'class_declaration',
  'interface_declaration',
  'method_declaration',
  'constructor_declaration',
  'record_declaration',
  'method_declaration#read',
  'constructor_declaration#read',
]

/** How the class of a change of Java is proved. */
export const javaClass: ClassRules = {
  layout: {
    comments: ['line_comment', 'block_comment'],
    raw: [],
    leaves: [],
    literals: ['string_literal', 'character_literal'],
    normalizesLineEnds: true,
    semicolons: [],
    commas: ['array_initializer', 'enum_body', 'element_value_array_initializer'],
    plainString: () => null,
    spacing: markOf,
    isSpareParenthesis: ({ node, parent }) => node.type === 'parenthesized_expression' && !isTarget(node, parent),
  },
  moves: {
    containers: ['program', 'class_body', 'interface_body', 'enum_body_declarations'],
    prefixes: [],
    separators: [],
    movable,
  },
  names: {
    spaces: { identifier: 'value', type_identifier: 'type' },
    members: [
      'field_access.field',
      'method_invocation.name',
      'element_value_pair.key',
      'annotation.name',
      'marker_annotation.name',
    ],
    exposed: [
      'switch_label',
      'method_reference',
      'scoped_identifier',
      'labeled_statement',
      'break_statement',
      'continue_statement',
      'scoped_type_identifier',
      'type_pattern',
      'record_pattern',
      'record_pattern_component',
      'yield_statement.',
    ],
    patterns: ['variable_declarator.name'],
    binders: {
      'local_variable_declaration.declarator': { around: BLOCKS },
      'formal_parameter.name': OF_METHOD,
      'spread_parameter.': OF_METHOD,
      'inferred_parameters.': { around: ['lambda_expression'], isHoisted: true },
      'lambda_expression.parameters': { around: ['lambda_expression'], isHoisted: true },
      'catch_formal_parameter.name': { around: ['catch_clause'], isHoisted: true },
      'enhanced_for_statement.name': { around: ['enhanced_for_statement'] },
      'resource.name': { around: ['try_with_resources_statement'] },
      'type_parameter.': { around: TYPED, isHoisted: true, also: ['value'] },
    },
    outsideFields: [
      'variable_declarator.value',
      'enhanced_for_statement.value',
      'resource.value',
      // The clauses after the block do not know its resources.
      'try_with_resources_statement.',
    ],
    hidden: ['class_body', 'interface_body', 'enum_body'],
    definitions: [],
    mentions: ['annotation'],
    reflection: /\\u+[0-9a-fA-F]{4}/,
    reserved: onlyWordOf('_ var record yield sealed permits'),
  },
  toolComment: TOOL_COMMENTS.java,
}

function markOf({ node, text }: NodePlace): string {
  if (node.type === 'formal_parameter') return isAnnotated(node, text) ? '#read' : ''
  // A constructor of a class that a framework makes gets its arguments by their names.
  if (node.type === 'constructor_declaration') return text.match(/@[A-Z]\w*/g)?.some(isRead) ? '#read' : ''
  if (node.type !== 'method_declaration') return ''
  return isAnnotated(node, text) || childWithField(node, 'body') === null ? '#read' : ''
}

function isRead(annotation: string): boolean {
  return !/^@(?:Override|Deprecated|SuppressWarnings|FunctionalInterface|SafeVarargs|Test|Nullable)$/.test(annotation)
}

// Where an expression may be that binds more loosely than an operator.
const PLACES = /^(?:variable_declarator|assignment_expression|return_statement|argument_list|parenthesized_expression)$/

function isTarget(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const inner = node.children.find(it => it.isNamed && !/comment$/.test(it.type))?.type ?? ''
  const isLoose = /^(?:assignment_expression|lambda_expression|method_reference)$/.test(inner)
  if (isLoose && !PLACES.test(parent?.type ?? '')) return true
  // A type may not be in parentheses, and a name before a dot may be one.
  if (inner === 'identifier' && /^(?:field_access|method_invocation)$/.test(parent?.type ?? '')) return true
  const isCast = parent?.type === 'cast_expression'
  return isCast || (/assignment|update/.test(parent?.type ?? '') && node.field !== 'right')
}

const TYPES = [
  'class_declaration',
  'interface_declaration',
  'enum_declaration',
  'record_declaration',
  'annotation_type_declaration',
]

function movable({ node, parent, text }: NodePlace) {
  // A single import wins over one of all names, in any order.
  if (node.type === 'import_declaration')
    return { key: sourceOf(text, node).replace(/\s+/g, ' '), kind: 'import', passes: 'run' as const }
  const name = childWithField(node, 'name')
  const isMovable = TYPES.includes(node.type) || (node.type === 'method_declaration' && parent?.type !== 'program')
  if (!isMovable || name === null || isAnnotated(node, text)) return null
  return {
    key: sourceOf(text, name),
    kind: node.type === 'method_declaration' ? 'method' : 'type',
    passes: 'all' as const,
  }
}

// Frameworks may read annotated methods in their order.
function isAnnotated(node: SyntaxNode, text: string): boolean {
  const modifiers = node.children.find(it => it.type === 'modifiers')?.children ?? []
  return modifiers.some(it => /annotation$/.test(it.type) && sourceOf(text, it) !== '@Override')
}
