import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { NODE_WORDS, TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { quotedText } from '../classify/quoted-text.ts'
import { anyWordOf, onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'
import { movableInJavascript } from './javascript-moves.ts'
import { isSpareInJavascript, LEFT_EDGE } from './javascript-parentheses.ts'

const FUNCTIONS = [
  ...['function_declaration', 'function_expression', 'generator_function_declaration', 'generator_function'],
  ...['arrow_function', 'method_definition', 'function_signature', 'function_type', 'constructor_type'],
  ...['call_signature', 'construct_signature', 'method_signature', 'abstract_method_signature'],
]
const TYPED = [
  ...FUNCTIONS,
  ...['class_declaration', 'abstract_class_declaration', 'class', 'interface_declaration', 'type_alias_declaration'],
]
const BLOCKS = [
  ...['statement_block', 'statement_block#inner', 'for_statement', 'for_in_statement', 'switch_body'],
  ...['class_static_block', 'program'],
]
const FILE = ['#file', 'program']
const VAR = { around: [...FUNCTIONS, 'class_static_block'], field: 'body', isHoisted: true } as const
const NAME_OF_FUNCTION = /\bname\b|\btoString\b/

/** How the class of a change of TypeScript, TSX or JavaScript is proved. */
export const javascriptClass: ClassRules = {
  layout: {
    comments: ['comment', 'html_comment'],
    raw: [],
    leaves: [],
    literals: ['template_string', 'regex', 'string', 'jsx_text', 'html_character_reference'],
    normalizesLineEnds: true,
    semicolons: [
      ...['program', 'statement_block', 'class_body', 'interface_body', 'object_type', 'expression_statement'],
      ...['lexical_declaration', 'variable_declaration', 'return_statement', 'throw_statement', 'break_statement'],
      ...['continue_statement', 'debugger_statement', 'import_statement', 'export_statement', 'do_statement'],
      ...['type_alias_declaration', 'import_alias', 'function_signature'],
    ],
    commas: [
      ...['array', 'object', 'arguments', 'formal_parameters', 'named_imports', 'export_clause', 'array_pattern'],
      ...['object_pattern', 'enum_body', 'type_parameters', 'type_arguments', 'tuple_type', 'object_type'],
      ...['interface_body', 'import_attribute'],
    ],
    plainString: (text, { type }, parent) => {
      if (type !== 'string') return null
      // In the attribute of an element a backslash is a character.
      const isEscaped = parent?.type !== 'jsx_attribute' || !text.includes('\\')
      return isEscaped ? quotedText(text) : null
    },
    loneParameter,
    isSpareParenthesis: isSpareInJavascript,
    isSpareToken: ({ node, parent }) => {
      const isEmpty = node.type === 'empty_statement' && /^(program|statement_block)$/.test(parent?.type ?? '')
      // `new A` is `new A()`.
      if (node.type === 'arguments') return parent?.type === 'new_expression' && node.children.length === 2
      // A statement before a text makes the text no directive.
      if (isEmpty) return !parent!.children.some(isText)
      // The members of an interface may be divided by commas, too.
      return node.type === ',' && /^(interface_body|object_type)$/.test(parent?.type ?? '')
    },
    // Comments of the old web, and names of members that are also words of the language.
    verbatim: /<!--|-->|\b(?:let|static|get|set|async|accessor|declare|readonly|abstract)\s*[;,]/g,
    spacing: markOf,
    spelling: ({ node, text }) => (node.type === 'number' ? numberText(sourceOf(text, node)) : null),
  },
  moves: {
    containers: ['program', 'statement_block', 'class_body', 'named_imports', 'interface_body'],
    prefixes: ['decorator'],
    separators: ['expression_statement#directive'],
    movable: movableInJavascript,
  },
  names: {
    spaces: {
      identifier: 'value',
      type_identifier: 'type',
      statement_identifier: 'label',
      shorthand_property_identifier: 'value',
      shorthand_property_identifier_pattern: 'value',
    },
    members: ['import_specifier.name'],
    exposed: [
      ...['shorthand_property_identifier', 'shorthand_property_identifier_pattern', 'export_specifier'],
      ...[
        'jsx_opening_element',
        'jsx_closing_element',
        'jsx_self_closing_element',
        'namespace_export',
        'enum_assignment',
      ],
      ...['internal_module', 'module', 'nested_identifier', 'class_declaration', 'abstract_class_declaration', 'class'],
      'required_parameter#property',
      ...['assignment_expression#function.left', 'augmented_assignment_expression#function.left'],
    ],
    patterns: [
      ...['array_pattern', 'object_pattern', 'pair_pattern.value', 'rest_pattern', 'assignment_pattern.left'],
      ...['required_parameter.pattern', 'optional_parameter.pattern', 'object_assignment_pattern.left'],
    ],
    binders: {
      'variable_declarator.name': { around: BLOCKS, isHoisted: true },
      'variable_declarator#function.name': { around: BLOCKS, isHoisted: true, reflection: NAME_OF_FUNCTION },
      'variable_declarator#var.name': VAR,
      'variable_declarator#var#function.name': { ...VAR, reflection: NAME_OF_FUNCTION },
      'formal_parameters.': { around: FUNCTIONS, isHoisted: true },
      'arrow_function.parameter': { around: FUNCTIONS, isHoisted: true },
      'catch_clause.parameter': { around: ['catch_clause'], isHoisted: true },
      'for_in_statement.left': { around: ['for_in_statement'], isHoisted: true },
      'function_declaration.name': {
        around: BLOCKS,
        // Without strict mode, the name counts in the whole function.
        except: ['statement_block#inner', 'switch_body'],
        isHoisted: true,
        reflection: NAME_OF_FUNCTION,
      },
      'import_specifier.alias': { around: FILE, isHoisted: true, also: ['type'] },
      'namespace_import.': { around: FILE, isHoisted: true, also: ['type'] },
      'import_clause.': { around: FILE, isHoisted: true, also: ['type'] },
      'type_parameter.name': { around: TYPED, isHoisted: true },
      'labeled_statement.label': { around: ['labeled_statement'], isHoisted: true },
    },
    outsideFields: [],
    hidden: ['with_statement'],
    definitions: [],
    mentions: ['decorator'],
    // AngularJS passes arguments by the names of parameters.
    reflection: anyWordOf('eval with callee Function angular ngInject'),
    reserved: onlyWordOf(
      'arguments eval undefined this super NaN Infinity async await let static yield of get set require module ' +
        'exports React h Fragment',
    ),
  },
  toolComment: TOOL_COMMENTS.javascript,
  nodeWords: NODE_WORDS.javascript,
}

function markOf({ node, parent, text }: NodePlace): string {
  if (isText(node)) return '#directive'
  // No statement begins like that, whatever the parser makes of it.
  if (node.type === 'expression_statement' && LEFT_EDGE.test(sourceOf(text, node))) return '#edge'
  if (node.type === 'statement_block') return BODIES[parent?.type ?? ''] ?? '#inner'
  if (/^(?:required|optional)_parameter$/.test(node.type) && isProperty(node)) return '#property'
  if (node.type === 'call_signature') return followsName(node, parent) ? '#joined' : ''
  if (JUMPS.test(node.type)) return isLineBreakIn(node, { parent, text }) ? '#apart' : ''
  if (LINE_WORDS.test(node.type)) return isAtLineBreak(node, text) ? '#apart' : ''
  if (!NAMING.test(node.type)) return ''
  return `${parent?.type === 'variable_declaration' ? '#var' : ''}${isNamedFunction(node) ? '#function' : ''}`
}

// What is declared in a namespace may be exported by what is around it.
const BODIES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...FUNCTIONS, 'class_static_block'].map(it => [it, ''])),
  internal_module: '#module',
  module: '#module',
  ambient_declaration: '#module',
}

// Words that are names where a line ends beside them.
const LINE_WORDS = /^(?:abstract|interface|type|namespace|module|declare|asserts|async|global|is|as|satisfies)$/

function isAtLineBreak(node: SyntaxNode, text: string): boolean {
  if (node.isNamed) return false
  const isSecond = /^(?:is|as|satisfies)$/.test(node.type)
  const space = isSecond ? text.slice(text.slice(0, node.start).trimEnd().length, node.start) : text.slice(node.end)
  return /^\s*\n/.test(space)
}

const JUMPS = /^(?:return|throw|yield|break|continue)$/

// At the end of the line of such a word, its statement ends, whatever the parser makes of it.
function isLineBreakIn(word: SyntaxNode, { parent, text }: { parent: SyntaxNode | null; text: string }): boolean {
  const next = parent?.children.find(it => it.start >= word.end && it.isNamed && it.type !== 'comment')
  return next !== undefined && text.slice(word.end, next.start).includes('\n')
}

// Without a mark between them, a name and a signature are a method.
function followsName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  const tokens = parent?.children.filter(it => it.type !== 'comment') ?? []
  const last = tokens[tokens.indexOf(node) - 1]?.type ?? ''
  return !/^[{;,]$/.test(last) && /^(?:interface_body|object_type)$/.test(parent?.type ?? '')
}

// In these, a function or a class without a name gets the name of what it is assigned to.
const NAMING =
  /^(?:variable_declarator|required_parameter|(?:augmented_)?assignment_expression|(?:object_)?assignment_pattern)$/

function isNamedFunction(node: SyntaxNode): boolean {
  let value = childWithField(node, 'value') ?? childWithField(node, 'right')
  while (value?.type === 'parenthesized_expression') value = value.children.find(it => it.isNamed) ?? null
  return /function|class/.test(value?.type ?? '')
}

// A statement that is only a text may be a directive, such as 'use strict'.
function isText(node: SyntaxNode): boolean {
  return node.type === 'expression_statement' && node.children[0]?.type === 'string'
}

// A parameter of a constructor with one of these is a member of the class.
function isProperty({ children }: SyntaxNode): boolean {
  return children.some(
    it => it.type === 'accessibility_modifier' || it.type === 'readonly' || it.type === 'override_modifier',
  )
}

// `x => x` and `(x) => x`. A parameter with a type, a default or a comment keeps its parentheses.
function loneParameter({ node, parent }: NodePlace): SyntaxNode | null {
  if (node.type !== 'formal_parameters' || parent?.type !== 'arrow_function') return null
  if (parent.children.some(it => it.field === 'return_type' || it.field === 'type_parameters')) return null
  const [open, parameter, close, ...more] = node.children
  if (open?.type !== '(' || !parameter || close?.type !== ')' || more.length > 0) return null
  const [name, ...others] = parameter.type === 'required_parameter' ? parameter.children : [parameter]
  return name?.type === 'identifier' && others.length === 0 ? name : null
}

// The value of a number, whose digits have several spellings; one of eight digits is another number than it seems.
function numberText(source: string): string | null {
  const digits = source.replaceAll('_', '')
  return /^0\d|n$/.test(digits) ? null : String(Number(digits))
}
