import type { ClassRules, NodePlace } from '../classify/class-rules.ts'
import { TOOL_COMMENTS } from '../classify/tool-comments.ts'
import { quotedText } from '../classify/quoted-text.ts'
import { anyWordOf, onlyWordOf } from '../classify/words.ts'
import { childWithField, sourceOf, type SyntaxNode } from '../syntax-node.ts'

const COMPREHENSIONS = ['list_comprehension', 'set_comprehension', 'dictionary_comprehension', 'generator_expression']
const READERS_OF_NAMES = 'query locals vars exec eval dir globals _getframe currentframe co_varnames inspect'
const IN_FUNCTION = {
  around: ['function_definition', 'class_definition', 'lambda'],
  except: ['class_definition', 'lambda'],
  field: 'body',
  isHoisted: true,
} as const

/** How the class of a change of Python is proved. */
export const pythonClass: ClassRules = {
  layout: {
    comments: ['comment'],
    raw: [],
    leaves: [],
    literals: ['string', 'string_content', 'interpolation', 'format_specifier'],
    normalizesLineEnds: true,
    semicolons: ['module', 'block'],
    commas: ['argument_list', 'parameters', 'list', 'dictionary', 'set', 'import_from_statement'],
    sameTypes: { expression_list: 'tuple', pattern_list: 'tuple_pattern' },
    spelling,
    plainString,
    isSpareParenthesis,
    // A part with `=` prints the text of its expression.
    spacing: place => (isShown(place.node, place.text) ? `#${sourceOf(place.text, place.node)}` : listMark(place)),
    isSpareToken,
  },
  moves: {
    containers: ['module', 'block', 'import_from_statement'],
    prefixes: [],
    separators: [],
    movable,
  },
  names: {
    spaces: { identifier: 'name' },
    members: ['attribute.attribute', 'keyword_argument.name'],
    exposed: [
      'parameters',
      'default_parameter.name',
      'typed_parameter',
      'typed_default_parameter.name',
      'lambda_parameters',
      'list_splat_pattern',
      'dictionary_splat_pattern',
      'global_statement',
      'nonlocal_statement',
      'function_definition.name',
      'class_definition.name',
      'dotted_name',
    ],
    patterns: ['pattern_list', 'tuple_pattern', 'list_pattern', 'as_pattern_target', 'tuple', 'list'],
    binders: {
      'assignment.left': IN_FUNCTION,
      'for_statement.left': IN_FUNCTION,
      'as_pattern.alias': IN_FUNCTION,
      'named_expression.name': IN_FUNCTION,
      'aliased_import.alias': IN_FUNCTION,
      'for_in_clause.left': { around: COMPREHENSIONS, isHoisted: true },
    },
    outsideFields: ['for_in_clause.right'],
    hidden: ['class_definition'],
    definitions: [],
    mentions: ['match_statement', 'type'],
    // An f-string with `=` prints the name.
    reflection: new RegExp(`${anyWordOf(READERS_OF_NAMES).source}|=\\s*(?:![rsa])?(?::[^}]*)?\\}`),
    reserved: onlyWordOf('__\\w* self cls super _ print exec match case type'),
  },
  toolComment: TOOL_COMMENTS.python,
}

function plainString(text: string, { type }: SyntaxNode): string | null {
  const [, prefix = '', , content = ''] =
    (type === 'string' && /^([a-zA-Z]*)('''|"""|'|")([^'"\\\n]*)\2$/.exec(text)) || []
  const isKnown = type === 'string' && /^[a-zA-Z]*('''|"""|'|")[^'"\\\n]*\1$/.test(text)
  const isTemplate = /[ft]/i.test(prefix) && /[{}]/.test(content)
  if (isKnown && !isTemplate) return `${prefixText(prefix)}"${content}`
  const [, bytes = '', quoted = ''] = (type === 'string' && /^([bBuU]?)(['"][^]*)$/.exec(text)) || []
  const escaped = /^(['"])\1/.test(quoted) ? null : quotedText(quoted)
  if (escaped !== null) return `${prefixText(bytes)}"${escaped}`
  const [, long = null] = (type === 'string' && /^(?:'''|""")([^'"\\]*)(?:'''|""")$/.exec(text)) || []
  return long === null ? null : `"${long.replace(/\r\n/g, '\n')}`
}

// Letters before a text count in either case and order.
function prefixText(prefix: string): string {
  return prefix.toLowerCase().split('').sort().join('')
}

/** The one spelling of a number, and of the quotes around a text that means the same in each kind of them. */
function spelling({ node, parent, text }: NodePlace): string | null {
  if (/^(?:integer|float)$/.test(node.type)) return numberText(sourceOf(text, node).toLowerCase())
  if (!parent || !/^string_(?:start|end)$/.test(node.type)) return null
  const source = sourceOf(text, parent)
  const [start = '', letters = '', quote = ''] = /^([a-zA-Z]*)('''|"""|'|")/.exec(source) ?? []
  const inside = source.slice(start.length, -quote.length)
  const prefix = node.type === 'string_start' ? prefixText(letters) : ''
  // A raw text is the characters between its quotes.
  if (!/['"]/.test(inside) || /r/i.test(letters)) return `${prefix}"`
  return `${prefix}${quote.length === 3 && !BOUND.test(inside) ? '"' : quote}`
}

function numberText(source: string): string {
  const [, digits = '', unit = ''] = /^([\d_]*\.[\d_]*(?:e[+-]?[\d_]+)?|[\d_]+e[+-]?[\d_]+)(j?)$/.exec(source) ?? []
  return digits === '' ? source : `${Number(digits.replaceAll('_', ''))}.${unit}`
}

// What means the same in one kind of quotes alone.
const BOUND = /\\['"]|'''|"""|['"]$/

function isSpareToken({ node, parent }: NodePlace): boolean {
  if (node.type === 'line_continuation') return true
  if (!parent) return false
  if (/^[()]$/.test(node.type)) return /^(?:import_from_statement|tuple|tuple_pattern)$/.test(parent.type)
  return node.type === ',' && LISTS.test(parent.type) && isSpareComma(node, parent)
}

const LISTS = /^(?:tuple|tuple_pattern|expression_list|pattern_list|subscript)$/

// A tuple of one needs its comma.
function isSpareComma(comma: SyntaxNode, { children }: SyntaxNode): boolean {
  const tokens = children.filter(it => !/^(?:comment|line_continuation)$/.test(it.type))
  const next = tokens[tokens.indexOf(comma) + 1]
  const isLast = next === undefined || /^[)\]]$/.test(next.type)
  return isLast && tokens.filter(it => it.type === ',').length > 1
}

// In Python 2, what these name without parentheses is not a tuple.
function listMark({ node, parent }: NodePlace): string {
  return node.type === 'expression_list' && /^(?:raise_statement|except_clause)$/.test(parent?.type ?? '')
    ? '#bare'
    : ''
}

function isShown(node: SyntaxNode, text: string): boolean {
  return node.type === 'interpolation' && /=\s*(?:![rsa])?(?::[^]*)?\}$/.test(sourceOf(text, node))
}

// An expression that is alone in these needs no parentheses.
const WHOLE = new RegExp(
  '^(?:(?:augmented_)?assignment|return_statement|argument_list|parenthesized_expression|if_statement|elif_clause|' +
    'while_statement)$',
)

function isSpareParenthesis({ node, parent }: NodePlace): boolean {
  if (node.type !== 'parenthesized_expression' || !parent) return false
  const inner = node.children.find(it => it.isNamed && it.type !== 'comment')?.type ?? ''
  if (/^(?:named_expression|yield)$/.test(inner)) return false
  const isLoose = /^(?:lambda|conditional_expression|not_operator|await)$/.test(inner)
  if (isLoose && !WHOLE.test(parent.type)) return false
  const isTarget =
    /^(assignment|augmented_assignment|for_statement|for_in_clause)$/.test(parent.type) && node.field === 'left'
  return (
    !isTarget &&
    !/^(interpolation|delete_statement|decorator|with_item|as_pattern|format_expression)$/.test(parent.type)
  )
}

function movable({ node, parent, text }: NodePlace) {
  if (parent?.type === 'import_from_statement') {
    const isName = node.field === 'name' && node.isNamed
    return isName ? { key: sourceOf(text, node), kind: 'name', passes: 'run' as const } : null
  }
  if (/^import_(?:from_)?statement$/.test(node.type) && isRebound(node, parent, text)) return null
  if (node.type === 'import_statement') return { key: sourceOf(text, node), kind: 'import', passes: 'run' as const }
  if (node.type === 'import_from_statement') return importMove(node, text)
  const name = node.type === 'function_definition' && isWithoutEvaluation(node) ? childWithField(node, 'name') : null
  return name && !/^__/.test(sourceOf(text, name))
    ? { key: sourceOf(text, name), kind: 'function', passes: 'run' as const }
    : null
}

/** True for an import of a name that another import of the block binds to something else. */
function isRebound(node: SyntaxNode, parent: SyntaxNode | null, text: string): boolean {
  const others = new Map(parent?.children.filter(it => it !== node).flatMap(it => bindings(it, text)))
  return bindings(node, text).some(([name, value]) => (others.get(name) ?? value) !== value)
}

function bindings(node: SyntaxNode, text: string): (readonly [name: string, value: string])[] {
  if (!/^import_(?:from_)?statement$/.test(node.type)) return []
  const module = childWithField(node, 'module_name')
  const from = module ? `${sourceOf(text, module)}:` : ''
  return node.children
    .filter(it => it.field === 'name' && it.isNamed)
    .map(it => {
      const alias = childWithField(it, 'alias')
      const path = childWithField(it, 'name')
      if (alias && path) return [sourceOf(text, alias), from + sourceOf(text, path)] as const
      const first = from === '' ? sourceOf(text, it).split('.')[0]! : sourceOf(text, it)
      return [first, from + first] as const
    })
}

function importMove(node: SyntaxNode, text: string) {
  const source = sourceOf(text, node)
  const isEverything = node.children.some(it => it.type === 'wildcard_import')
  const key = source.replace(/\s+/g, ' ').replace(/ import.*/, '')
  return isEverything || source.includes('__future__') ? null : { key, kind: 'import', passes: 'run' as const }
}

// Defaults and annotations are evaluated where the function stands.
function isWithoutEvaluation(node: SyntaxNode): boolean {
  const parameters = childWithField(node, 'parameters')
  const isPlain = parameters?.children.every(it => !/default|typed/.test(it.type)) ?? false
  return isPlain && childWithField(node, 'return_type') === null
}
