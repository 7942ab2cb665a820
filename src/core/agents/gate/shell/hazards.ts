import { assignmentEffects } from './builtins.ts'
import { coversText } from './covered-text.ts'
import { printsNumber } from './known-output.ts'
import { staticText } from './static-text.ts'
import {
  forEachChild,
  type ParameterOperation,
  type ParsedScript,
  type Redirect,
  type SyntaxNode,
  type TestBinaryExpression,
  type TestUnaryExpression,
} from 'unbash'

/** The scripts nested in a node's words at any depth: `$(…)`, backticks, `<(…)`. */
export function nestedScripts(node: SyntaxNode): ParsedScript[] {
  const found: ParsedScript[] = []
  forEachChild(node, child => {
    if (child.type === 'Script') found.push(child)
    else found.push(...nestedScripts(child))
  })
  return found
}

/** Why the syntax of a script makes its effects unknowable; null when it does not. */
export function hazardOfScript(script: ParsedScript, text: string): string | null {
  return hazardIn(script) ?? hazardOfExit(text) ?? (coversText(script, text) ? null : 'a part of it is not understood')
}

function hazardIn(node: SyntaxNode): string | null {
  if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) return 'it does not parse'
  const own = hazardOf(node)
  if (own !== null) return own
  let found: string | null = null
  forEachChild(node, child => {
    found ??= hazardIn(child)
  })
  return found
}

// Other shells, such as dash for `sh`, would read it in another way.
const DIFFERS = 'the shells do not agree about it'

// Arithmetic on a text runs the command substitutions in its brackets: `a[$(rm x)]`.
const COMPUTES = 'it evaluates a value that is only known when it runs'

function hazardOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'Function':
      return 'it defines a function'
    case 'Coproc':
      return 'it has a coprocess'
    case 'ExtendedGlob':
      // In zsh such a glob can run a command.
      return 'it has a glob with parentheses'
    case 'ArithmeticWord':
      return /^\s*(?:\d*|0x[\da-f]+|\d+#\w+)\s*$/i.test(node.value) ? null : COMPUTES
    case 'ArithmeticCommandExpansion':
      return node.script && printsNumber(node.script) ? null : COMPUTES
    case 'ArrayValue':
      return node.elements.some(it => /^\[[^]*\]\+?=/.test(it.text) && !/^\[\d+\]/.test(it.text)) ? COMPUTES : null
    case 'ParameterExpansion':
      // In zsh flags in parentheses can make it run the value.
      if (!/^(?:\w+|[-@*#?$!])$/.test(node.parameter)) return COMPUTES
      // `${NAME:=x}` assigns x to NAME.
      if (isAssigning(node.operation) && assignmentEffects(node.parameter).length > 0) return COMPUTES
      return node.prefix === '!' || (node.index && !isPlainIndex(node.index.text)) ? COMPUTES : null
    case 'Slice':
      return [node.offset, node.length].every(it => it === undefined || isPlainIndex(it.text)) ? null : COMPUTES
    case 'Transform':
      return /^[QEUuLaAKk]$/.test(node.operand.text) ? null : COMPUTES
    case 'TestUnary':
      return computesOperand(node) ? COMPUTES : null
    case 'HereDoc':
      return node.delimiter?.text.includes('$') ? DIFFERS : null
    case 'AnsiCQuoted':
      // For dash the dollar is a character of the word, with which no path is absolute.
      return node.text.includes("\\'") || /^(?:\/|$)/.test(node.value) ? DIFFERS : null
    case 'Word':
      // Some programs compute what looks like an element.
      if (ZSH_EXPANSION.test(node.text) && !(node.parts ?? []).every(it => it.type === 'SingleQuoted')) return DIFFERS
      return /\w\[[^\]]{0,200}(?:\$\(|`)/.test(staticText(node) ?? '') ? COMPUTES : null
    case 'HereDocBody':
      return node.parts && ZSH_ELEMENT.test(node.text) ? DIFFERS : null
    case 'Redirect':
      return isOddRedirect(node) ? DIFFERS : null
    case 'ArithmeticCommand':
      return /[<>|&]/.test(node.body) ? DIFFERS : null
    case 'TestBinary':
      return hazardOfComparison(node)
    case 'Assignment':
      return node.index && !isPlainIndex(node.index.text) ? COMPUTES : null
    default:
      return null
  }
}

// In zsh the descriptor of `-t` is computed.
function computesOperand({ operator, operand }: TestUnaryExpression): boolean {
  return operator === '-t' ? !/^\d+$/.test(operand.text) : operator === '-v' || operator === '-R'
}

function isAssigning(operation: ParameterOperation | undefined): boolean {
  return operation?.type === 'Default' && operation.operator.endsWith('=')
}

function hazardOfComparison({ operator, left, right }: TestBinaryExpression): string | null {
  if (/^[<>]$/.test(operator)) return DIFFERS
  const isOfNumbers = /^-(eq|ne|lt|le|gt|ge)$/.test(operator)
  return isOfNumbers && ![left, right].every(it => /^\d+$/.test(it.text)) ? COMPUTES : null
}

// For dash `{fd}` is a word. In zsh `>!` is an operator, and the next word is the file.
function isOddRedirect({ descriptor, target }: Redirect): boolean {
  return descriptor?.type === 'FileDescriptorVariable' || target?.text.startsWith('!') === true
}

// In zsh `"$=a"` is several words, and the index of `$a[i]` is computed.
const ZSH_ELEMENT = /\$\w+\[(?!-?\d+\])/
const ZSH_EXPANSION = /\$[=^~]\w|\$\w+\[(?!-?\d+\])/

// An `exit` of a script may not be reached: an error skips the rest of its line, but not the next one.
function hazardOfExit(script: string): string | null {
  const mayBeSkipped = script.includes('\n') && /\bexit\b/.test(script) && SKIPS_A_LINE.test(script)
  return mayBeSkipped ? 'it has an exit that may be skipped' : null
}

// The bounds keep the search short in long lines.
const SKIPS_A_LINE = new RegExp(
  [
    String.raw`\$\(\([^]{0,200}?(?:[/%#]|\*\*|\b0\d)|\$\[`,
    String.raw`\$\{[^}]{0,200}(?:\?|:\s{0,9}-\d)|\breadonly\b|\b(?:declare|typeset|local)\s{1,9}-\w{0,9}r`,
  ].join('|'),
)

/** Why a script for `sh` may be something else in another shell than bash; null when it is the same in each. */
export function hazardInSh(node: SyntaxNode): string | null {
  const isOfBash =
    OF_BASH.has(node.type) ||
    (node.type === 'Redirect' && node.operator.startsWith('&')) ||
    (node.type === 'Pipeline' && node.operators.includes('|&'))
  if (isOfBash) return DIFFERS
  let found: string | null = null
  forEachChild(node, child => {
    found ??= hazardInSh(child)
  })
  return found
}

const OF_BASH: ReadonlySet<string> = new Set(
  'TestCommand ArithmeticCommand ArithmeticFor AnsiCQuoted LocaleString HereString ProcessSubstitution Select'.split(
    ' ',
  ),
)

function isPlainIndex(text: string): boolean {
  return /^\s*(-?\d+|[@*])\s*$/.test(text)
}
