import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { onlyWordOf } from '../classify/words.ts'
import { directiveText, tokensOf } from './cpp-tokens.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const BLOCKS = [
  ...['compound_statement', 'for_statement', 'for_range_loop', 'if_statement', 'while_statement', 'switch_statement'],
]
// A type or a declaration of a function has names of its own.
const SIGNATURES = [
  ...['function_declarator#inner', 'declaration', 'field_declaration', 'type_descriptor', 'type_definition'],
  ...['alias_declaration', 'requires_expression'],
]
const FUNCTIONS = ['function_definition', 'lambda_expression', 'catch_clause', 'template_declaration']

const cpp: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: ['preproc_def', 'preproc_function_def', 'preproc_call', 'preproc_arg', 'preproc_include'],
    leaves: [],
    literals: ['string_literal', 'raw_string_literal', 'char_literal', 'system_lib_string'],
    normalizesLineEnds: false,
    semicolons: [],
    commas: ['initializer_list', 'enumerator_list'],
    plainString: joinedText,
    isSpareParenthesis,
    rawText: (node, text) => directiveText(sourceOf(text, node)) + joinedMark(node, text),
    spelling: wordOfDirective,
    tokens: (part, text) =>
      hasToolComment(part) || TEXT_OF_ALL.test(text) ? null : tokensOf(part, it => isMacro(it, text)),
    // What a macro of this file makes of its words.
    verbatim: /__LINE__|__COUNTER__/g,
  },
  moves: {
    containers: ['translation_unit', 'declaration_list', 'field_declaration_list'],
    prefixes: [],
    separators: ['access_specifier'],
    movable: movableMethod,
  },
  names: {
    spaces: {
      identifier: 'name',
      type_identifier: 'name',
      namespace_identifier: 'name',
      statement_identifier: 'label',
    },
    members: [],
    exposed: [
      'qualified_identifier',
      'function_definition.declarator',
      'field_declaration',
      'enumerator',
      'preproc_ifdef',
      'preproc_defined',
      'template_argument_list',
      'using_declaration',
      'attribute',
      'requires_clause',
      'friend_declaration',
    ],
    patterns: [
      ...['init_declarator.declarator', 'pointer_declarator', 'reference_declarator', 'array_declarator.declarator'],
      ...['parenthesized_declarator', 'structured_binding_declarator', 'optional_parameter_declaration.declarator'],
    ],
    binders: {
      'declaration.declarator': { around: BLOCKS },
      'for_range_loop.declarator': { around: ['for_range_loop'] },
      'parameter_declaration.declarator': { around: [...FUNCTIONS, ...SIGNATURES] },
      'type_parameter_declaration.': { around: ['template_declaration'] },
      // The address of a label is a value.
      'labeled_statement.label': {
        around: ['function_definition'],
        isHoisted: true,
        reflection: /[=(,{]\s*&&|__label__|\basm\b/,
      },
    },
    outsideFields: ['for_range_loop.right'],
    hidden: ['field_declaration_list', 'class_specifier', 'struct_specifier'],
    definitions: ['preproc_def', 'preproc_function_def', 'preproc_call', '#raw'],
    mentions: [
      'preproc_def',
      'preproc_function_def',
      'preproc_call',
      'preproc_arg',
      'asm_statement',
      'gnu_asm_expression',
      'call_expression#macro',
      'function_declarator#macro',
      'function_definition#macro',
      'preproc_if',
      'preproc_elif',
      '#raw',
    ],
    reflection: /(?!)/,
    reserved: onlyWordOf('_ this main final override asm [A-Z_][A-Z0-9_]+ errno stdin stdout stderr unix linux'),
  },
  toolComment: TOOL_COMMENTS.c,
}

/** How the class of a change of C++ is proved. */
export const cppClass: ClassRules = {
  ...cpp,
  layout: { ...cpp.layout, spacing: markOf },
}

/** How the class of a change of C is proved. */
export const cClass: ClassRules = {
  ...cppClass,
  moves: { ...cpp.moves, movable: movableFunction },
}

function wordOfDirective({ node, parent, text }: NodePlace): string | null {
  if (!node.type.startsWith('#')) return null
  const named = /^#ifn?def$/.test(node.type) && parent ? childWithField(parent, 'name') : null
  const isAlone = /^#(?:else|endif|ifn?def)$/.test(node.type)
  const last = named ?? node
  const mark = joinedMark(isAlone ? { ...node, end: last.end } : { ...node, end: text.length }, text)
  return sourceOf(text, node).replace(/\s+/, '') + mark
}

// The parser reads a directive also where a line has code beside it, which no compiler does.
function joinedMark({ start, end }: SyntaxNode, text: string): string {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const isEnded = end === text.length || text[end - 1] === '\n'
  const after = isEnded ? '' : (/.*/.exec(text.slice(end))?.[0] ?? '')
  return ONLY_COMMENTS.test(before) && ONLY_COMMENTS.test(after) ? '' : ' joined'
}

const ONLY_COMMENTS = /^\uFEFF?\s*(?:\/\*(?:[^*]|\*(?!\/))*(?:\*\/\s*|$))*(?:\/\/.*)?$/

function hasToolComment(part: string): boolean {
  return (part.match(/\/\/.*|\/\*[^]*?\*\//g) ?? []).some(it => TOOL_COMMENTS.c.test(it))
}

// Texts beside each other are one, and a formatter divides a long one. An escape of digits may not get another digit.
function joinedText(text: string, { type, children }: SyntaxNode): string | null {
  if (type === 'string_literal') return /^"/.test(text) ? text.slice(0, -1) : null
  if (type !== 'concatenated_string' || children.some(it => it.type !== 'string_literal')) return null
  const first = children[0]!.start
  const parts = children.map(it => text.slice(it.start - first, it.end - first))
  const isPlain = parts.every((it, at) => /^"/.test(it) && (at === parts.length - 1 || !DIGITS_AT_END.test(it)))
  return isPlain ? `"${parts.map(it => it.slice(1, -1)).join('')}` : null
}

const DIGITS_AT_END = /\\(?:x[\da-fA-F]*|[0-7]{1,3}|[uUN].*)"$/

// A call in capitals, or of a name that this file defines, is of a macro, which may make a text of its words.
function markOf({ node, parent, text }: NodePlace): string {
  // Within a body there are no functions: this is a loop that a macro makes.
  if (node.type === 'function_definition') return parent?.type === 'compound_statement' ? '#macro' : ''
  if (node.type === 'declaration') return /^extern\b/.test(sourceOf(text, node)) ? '#extern' : ''
  if (node.type === 'argument_list') return isMacroCall(parent, text) ? `#${argumentsOf(node, text)}` : ''
  if (node.type === 'function_declarator' && isPointer(node)) return '#inner'
  if (node.type !== 'call_expression' && node.type !== 'function_declarator') return ''
  const name = sourceOf(text, childWithField(node, 'function') ?? childWithField(node, 'declarator') ?? node)
  return isMacro(name, text) ? '#macro' : ''
}

function isMacroCall(node: SyntaxNode | null, text: string): boolean {
  const called = node?.type === 'call_expression' ? childWithField(node, 'function') : null
  return called !== null && isMacro(sourceOf(text, called), text)
}

// A macro that makes a text of all its arguments keeps the white space between them, too.
const TEXT_OF_ALL = /#\s*__VA_ARGS__/

// A macro that makes a text of an argument keeps the white space within it, as one space.
function argumentsOf(node: SyntaxNode, text: string): string {
  const { children } = node
  if (TEXT_OF_ALL.test(text)) return sourceOf(text, node).replace(/\s+/g, ' ')
  return children.map(it => sourceOf(text, it).replace(/\s+/g, ' ')).join('')
}

function isPointer(node: SyntaxNode): boolean {
  return childWithField(node, 'declarator')?.type === 'parenthesized_declarator'
}

function isMacro(name: string, text: string): boolean {
  return /^[A-Z_][A-Z0-9_]*$/.test(name) || /^_*(?:static_)?assert$/.test(name) || macrosOf(text).has(name)
}

/** The names that a text defines as macros. */
function macrosOf(text: string): ReadonlySet<string> {
  if (lastMacros.text !== text) {
    const defined = text.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)/gm)
    lastMacros = { text, names: new Set([...defined].map(it => it[1] ?? '')) }
  }
  return lastMacros.names
}

// All calls of a text are looked at in a row, and a text is long.
let lastMacros: { readonly text: string; readonly names: ReadonlySet<string> } = { text: '', names: new Set() }

const GROUPS = [
  'binary_expression',
  'number_literal',
  'unary_expression',
  'conditional_expression',
  'parenthesized_expression',
]
const AROUND = [
  'binary_expression',
  'parenthesized_expression',
  'assignment_expression',
  'conditional_expression',
  'init_declarator',
]

// A name in parentheses may be a macro, and `decltype`, `sizeof` and `&` read parentheses.
function isSpareParenthesis({ node, parent, text }: NodePlace): boolean {
  const inner = node.children.find(it => it.isNamed && it.type !== 'comment')
  if (node.type !== 'parenthesized_expression' || !inner || !parent) return false
  const words = sourceOf(text, inner).match(/[A-Za-z_]\w*/g) ?? []
  const isTarget = parent.type === 'assignment_expression' && node.field === 'left'
  const isReturn = parent.type === 'return_statement' && !text.includes('decltype')
  const isPlain = GROUPS.includes(inner.type) && (isReturn || AROUND.includes(parent.type))
  return isPlain && !isTarget && !words.some(it => isMacro(it, text))
}

/** The name of a function in a declarator of plain types, or null. */
function functionName(node: SyntaxNode, text: string): string | null {
  if (node.type !== 'function_definition') return null
  let at = childWithField(node, 'declarator')
  while (at && /^(pointer|reference|function)_declarator$/.test(at.type))
    at = childWithField(at, 'declarator') ?? at.children.find(it => /declarator$/.test(it.type)) ?? null
  return at && /^(field_)?identifier$/.test(at.type) ? sourceOf(text, at) : null
}

// In a class, names count everywhere; elsewhere, a function that moves may find other overloads.
function movableMethod({ node, parent, text }: NodePlace) {
  const name = parent?.type === 'field_declaration_list' ? functionName(node, text) : null
  // The type of the result may name what is declared above.
  const isTied = /\b(?:virtual|override|final|auto|decltype|sizeof|noexcept)\b/.test(
    sourceOf(text, node).split('{')[0]!,
  )
  const isConstructor = childWithField(node, 'type') === null
  return name !== null && !isTied && !isConstructor ? { key: name, kind: 'method', passes: 'run' as const } : null
}

function movableFunction({ node, parent, text }: NodePlace) {
  const name = parent?.type === 'translation_unit' ? functionName(node, text) : null
  // What calls it finds its declaration above.
  const isAlone =
    name !== null && !isMentioned(name, text.slice(0, node.start)) && !isMentioned(name, text.slice(node.end))
  return isAlone ? { key: name, kind: 'function', passes: 'run' as const } : null
}

function isMentioned(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return true
  return false
}
