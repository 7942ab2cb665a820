import { assignmentEffects } from './builtins.ts'
import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'

/** The scripts that stand within a node's words: `$(…)`, backticks, `<(…)`, wherever they are. */
export function nestedScripts(node: SyntaxNode): ParsedScript[] {
  const found: ParsedScript[] = []
  forEachChild(node, child => {
    if (child.type === 'Script') found.push(child)
    else found.push(...nestedScripts(child))
  })
  return found
}

/** Why a script can't be followed whatever its commands are; null when it can. */
export function hazardIn(node: SyntaxNode): string | null {
  if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) return 'it does not parse'
  const own = hazardOf(node)
  if (own !== null) return own
  let found: string | null = null
  forEachChild(node, child => {
    found ??= hazardIn(child)
  })
  return found
}

// The shell computes with a text by running what stands in its brackets: `a[$(rm x)]`.
const COMPUTES = 'it computes with a value that shows only when it runs'

function hazardOf(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'Function':
      return 'it defines a function'
    case 'Coproc':
      return 'it has a coprocess'
    case 'ExtendedGlob':
      // To zsh such a glob may be one that runs a command.
      return 'it has a glob with parentheses'
    case 'ArithmeticWord':
      return /^\s*\d*\s*$/.test(node.value) ? null : COMPUTES
    case 'ParameterExpansion':
      // To zsh what stands here in parentheses may say that the value is to be run.
      if (!/^(?:\w+|[-@*#?$!])$/.test(node.parameter)) return COMPUTES
      // `${NAME:=x}` gives it that value.
      if (/^\w+:?=/.test(node.text.slice(2)) && assignmentEffects(node.parameter).length > 0) return COMPUTES
      return node.prefix === '!' || (node.index && !isPlainIndex(node.index.text)) ? COMPUTES : null
    case 'Slice':
      return [node.offset, node.length].every(it => it === undefined || isPlainIndex(it.text)) ? null : COMPUTES
    case 'Transform':
      return node.operand.text === 'P' ? COMPUTES : null
    case 'TestUnary':
      return node.operator === '-v' || node.operator === '-R' ? COMPUTES : null
    case 'TestBinary':
      return /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator) && ![node.left, node.right].every(it => /^\d+$/.test(it.text))
        ? COMPUTES
        : null
    case 'Assignment':
      return node.index && !isPlainIndex(node.index.text) ? COMPUTES : null
    default:
      return null
  }
}

function isPlainIndex(text: string): boolean {
  return /^\s*(-?\d+|[@*])\s*$/.test(text)
}
